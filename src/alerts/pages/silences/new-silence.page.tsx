import type { VNode } from 'preact';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { ALERT_SEVERITIES } from '../../alert-values.js';
import { MAX_COMMENT, MAX_VALUE } from '../../silences/alert-silence.dto.js';
import { severityLabel } from '../alert-status.js';
import { silencesPath } from '../alert-paths.js';

export const DEFAULT_HOURS = '4';

const DURATIONS = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '8', label: '8 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
  { value: '720', label: '30 days' },
];

/** Fields of the form as they were sent, or as it begins. */
export type SilenceValues = Record<string, unknown>;

interface NewSilencePageProps {
  pageContext: PageContext;
  project: ProjectRow;
  environments: readonly string[];
  values: SilenceValues;
  errors: FormProblems | null;
}

/** Form of a new silence: what it matches, for how long and why. */
export function NewSilencePage(props: NewSilencePageProps): VNode {
  const { pageContext, project, environments, values, errors } = props;
  const field = (name: string) => ({ name, errors: errors?.fields[name] });
  const names = new Set([...environments, given(values, 'environment')]);
  names.delete('');
  return (
    <>
      <PageHeader
        title="New silence"
        description="Matching alerts are still recorded, but open no incidents and send no emails."
      />
      <Form
        action={silencesPath(project)}
        csrfToken={pageContext.csrfToken}
        label="New silence"
        class="grid w-full gap-4"
      >
        <FormErrors errors={errors} />
        <Card title="Matching alerts">
          <TextField
            {...field('title')}
            label="Title"
            hint={String.raw`* stands for any text, \* for an asterisk: Disk full on *`}
            value={given(values, 'title')}
            maxLength={MAX_VALUE}
          />
          <SelectField
            {...field('environment')}
            label="Environment"
            options={[
              { value: '', label: 'Any' },
              ...[...names].map((value) => ({ value, label: value })),
            ]}
            value={given(values, 'environment')}
          />
          <SelectField
            {...field('severity')}
            label="Severity"
            options={[
              { value: '', label: 'Any' },
              ...ALERT_SEVERITIES.map((value) => ({ value, label: severityLabel(value) })),
            ]}
            value={given(values, 'severity')}
          />
          <TextField
            {...field('fingerprint')}
            label="Fingerprint"
            hint="40 hex digits, for a single alert."
            value={given(values, 'fingerprint')}
            maxLength={40}
          />
        </Card>
        <Card title="Time and reason">
          <SelectField
            {...field('hours')}
            label="Duration"
            options={DURATIONS}
            value={given(values, 'hours')}
          />
          <TextField
            {...field('starts_at')}
            type="datetime-local"
            label="Start (UTC)"
            hint="Leave blank to start now."
            value={given(values, 'starts_at')}
          />
          <TextField
            {...field('comment')}
            label="Comment"
            value={given(values, 'comment')}
            maxLength={MAX_COMMENT}
            placeholder="Database maintenance"
            required
          />
          <FormActions submit="Create silence" cancel={silencesPath(project)} />
        </Card>
      </Form>
    </>
  );
}
