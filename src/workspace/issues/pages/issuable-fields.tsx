import type { VNode } from 'preact';
import { CheckboxField, SelectField } from '../../../core/ui/components/choice-fields.js';
import { PostButton, SideField } from '../../../core/ui/components/form.js';
import {
  suggestionMarks,
  suggestionsOf,
  TextArea,
  TextField,
} from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { NamedMilestone } from '../../milestones/milestones.repository.js';

interface FieldProps<Name extends string> {
  values: Record<Name, string>;
  errors: FormProblems | null;
}

export function TitleField({ values, errors }: FieldProps<'title'>): VNode {
  return (
    <TextField
      name="title"
      label="Title"
      value={values.title}
      errors={errors?.fields['title']}
      maxLength={255}
      required
    />
  );
}

interface DescriptionFieldProps extends FieldProps<'description'> {
  rows: number;
  /** Address of a page of the project. */
  page: string;
  /** Follows the hint about Markdown. */
  hint?: string;
}

export function DescriptionField(props: DescriptionFieldProps): VNode {
  const { values, errors, rows, page, hint } = props;
  return (
    <TextArea
      name="description"
      markdown
      marks={suggestionMarks(page)}
      label="Description"
      hint={['Supports Markdown', hint].filter(Boolean).join('. ')}
      value={values.description}
      errors={errors?.fields['description']}
      rows={rows}
    />
  );
}

interface UsersFieldProps<Name extends string> extends FieldProps<Name> {
  name: Name;
  label: string;
  page: string;
}

/** Usernames of assignees or reviewers. */
export function UsersField<Name extends string>(props: UsersFieldProps<Name>): VNode {
  const { name, label, page, values, errors } = props;
  return (
    <TextField
      name={name}
      label={label}
      hint="Comma-separated usernames. Users without access are skipped."
      source={suggestionsOf(page, 'users')}
      isList
      value={values[name]}
      errors={errors?.fields[name]}
    />
  );
}

export function LabelsField({
  values,
  errors,
  page,
}: FieldProps<'labels'> & { page: string }): VNode {
  return (
    <TextField
      name="labels"
      label="Labels"
      hint="Comma-separated"
      source={suggestionsOf(page, 'labels')}
      isList
      value={values.labels}
      errors={errors?.fields['labels']}
    />
  );
}

interface MilestoneFieldProps extends FieldProps<'milestone'> {
  milestones: readonly NamedMilestone[];
}

export function MilestoneField({ values, errors, milestones }: MilestoneFieldProps): VNode {
  const choices = milestones.map(({ id, title }) => ({ value: String(id), label: title }));
  return (
    <SelectField
      name="milestone_id"
      label="Milestone"
      options={[{ value: '', label: 'None' }, ...choices]}
      value={values.milestone}
      errors={errors?.fields['milestone_id']}
    />
  );
}

export function LockField({ isLocked }: { isLocked: boolean }): VNode {
  return (
    <CheckboxField
      name="discussion_locked"
      label="Lock discussion"
      hint="Only project members can comment"
      checked={isLocked}
    />
  );
}

interface SubscriptionFieldProps {
  subscribed: boolean;
  /** Path that `subscribed` is posted to. */
  action: string;
  csrfToken: string;
}

/** State of the viewer's subscription to an issue or merge request, and the button to change it. */
export function SubscriptionField(props: SubscriptionFieldProps): VNode {
  const { subscribed, action, csrfToken } = props;
  return (
    <SideField label="Notifications">
      <span class="flex flex-wrap items-center justify-between gap-2">
        {subscribed ? 'You are subscribed.' : 'You are not subscribed.'}
        <PostButton
          action={action}
          csrfToken={csrfToken}
          size="small"
          fields={{ subscribed: String(!subscribed) }}
        >
          {subscribed ? 'Unsubscribe' : 'Subscribe'}
        </PostButton>
      </span>
    </SideField>
  );
}
