import type { VNode } from 'preact';
import { CheckboxField, RadioGroup, SelectField } from '../../core/ui/components/choice-fields.js';
import { eventBit, type EmailEvent } from '../notification-values.js';

interface EventGroup {
  label: string;
  events: { name: EmailEvent; label: string }[];
}

/** The switches of the level `custom` with their labels. */
const EVENT_GROUPS: EventGroup[] = [
  {
    label: 'Issues and comments',
    events: [
      { name: 'new_note', label: 'New comment' },
      { name: 'new_issue', label: 'New issue' },
      { name: 'reopen_issue', label: 'Issue reopened' },
      { name: 'close_issue', label: 'Issue closed' },
      { name: 'reassign_issue', label: 'Issue reassigned' },
      { name: 'issue_due', label: 'Issue due tomorrow' },
      { name: 'new_epic', label: 'New epic' },
    ],
  },
  {
    label: 'Merge requests',
    events: [
      { name: 'new_merge_request', label: 'New merge request' },
      { name: 'push_to_merge_request', label: 'Commits pushed' },
      { name: 'reopen_merge_request', label: 'Merge request reopened' },
      { name: 'close_merge_request', label: 'Merge request closed' },
      { name: 'reassign_merge_request', label: 'Assignees or reviewers changed' },
      { name: 'merge_merge_request', label: 'Merge request merged' },
      { name: 'merge_when_pipeline_succeeds', label: 'Auto-merge enabled' },
    ],
  },
  {
    label: 'Your pipelines and projects',
    events: [
      { name: 'failed_pipeline', label: 'Pipeline failed' },
      { name: 'fixed_pipeline', label: 'Pipeline fixed' },
      { name: 'success_pipeline', label: 'Pipeline succeeded' },
      { name: 'moved_project', label: 'Project moved' },
    ],
  },
];

/** Class of a form with the following fields: its switches show while the level is `custom`. */
export const SETTING_FORM_CLASS = 'group/setting form';

// Browsers without :has() show the switches always, which is correct at any level.
const SHOWN_WHEN_CUSTOM =
  'grid gap-5 group-has-[[name=level]:checked:not([value=custom])]/setting:hidden';

interface LevelFieldProps {
  options: { value: string; label: string; hint?: string }[];
  value: string;
  errors: string[] | undefined;
}

/** Notification level. */
export function LevelField(props: LevelFieldProps): VNode {
  return <RadioGroup name="level" label="Level" required {...props} />;
}

interface EventSwitchesProps {
  /** Bits of EMAIL_EVENTS. */
  events: number;
  /** True if there are epics: on the highest tier only. */
  hasEpics: boolean;
}

/** Events of the level `custom`; kept while another level is selected. */
export function EventSwitches({ events, hasEpics }: EventSwitchesProps): VNode {
  return (
    <div class={SHOWN_WHEN_CUSTOM}>
      {EVENT_GROUPS.map((group) => (
        <fieldset key={group.label} class="field">
          <legend>{group.label}</legend>
          <div class="grid gap-2 sm:grid-cols-2">
            {group.events
              .filter(({ name }) => hasEpics || name !== 'new_epic')
              .map(({ name, label }) => (
                <CheckboxField
                  key={name}
                  name={name}
                  label={label}
                  checked={(events & eventBit(name)) !== 0}
                />
              ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

interface AddressFieldProps {
  /** Label of the first choice, which stands for no address. */
  without: string;
  hint: string;
  addresses: string[];
  value: string | null;
  errors: string[] | undefined;
}

/** Select for the email that notifications go to. */
export function AddressField({
  without,
  hint,
  addresses,
  value,
  errors,
}: AddressFieldProps): VNode {
  const options = addresses.map((email) => ({ value: email, label: email }));
  return (
    <SelectField
      name="notification_email"
      label="Notification email"
      hint={hint}
      options={[{ value: '', label: without }, ...options]}
      value={value ?? ''}
      errors={errors}
    />
  );
}
