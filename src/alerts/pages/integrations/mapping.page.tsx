import type { VNode } from 'preact';
import { counted } from '../../../core/ui/amounts.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { SelectField, type Choice } from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { FIELD_NAMES } from '../../integrations/mapping-rules.js';
import type { IntegrationRow } from '../../alert-integrations.repository.js';
import type { PayloadField } from '../../parsing/payload-fields.js';
import { integrationsPath } from '../alert-paths.js';
import { IntegrationFrame } from './integration.page.js';

/** Values of the custom mapping form; paths are JSON text, '' for none. */
export interface MappingValues {
  /** JSON text as it was pasted. */
  example: string;
  /** By the name of the alert's field: `TITLE`. */
  paths: Record<string, string>;
  resolvedPath: string;
  /** Parted by commas. */
  resolvedWords: string;
}

/** State of the mapping form. */
export interface MappingState {
  values: MappingValues;
  choices: PayloadField[];
  errors: FormProblems | null;
}

interface MappingPageProps extends MappingState {
  pageContext: PageContext;
  project: ProjectRow;
  integration: IntegrationRow;
}

const NOT_MAPPED = 'Default (matched by name)';
const MAX_CHOICE_LENGTH = 90;

/** Lists the fields of a sample payload, and maps them to the fields of alerts. */
export function MappingPage({
  pageContext,
  project,
  integration,
  ...state
}: MappingPageProps): VNode {
  const path = `${integrationsPath(project)}/${integration.id}`;
  return (
    <IntegrationFrame
      pageContext={pageContext}
      project={project}
      integration={integration}
      current="mapping"
    >
      <MappingForm {...state} path={path} csrfToken={pageContext.csrfToken} />
    </IntegrationFrame>
  );
}

interface MappingFormProps extends MappingState {
  /** The page of the integration. */
  path: string;
  csrfToken: string;
}

function MappingForm({ values, choices, errors, path, csrfToken }: MappingFormProps): VNode {
  const options = choices.map(choiceOf);
  return (
    <Form action={`${path}/mapping`} csrfToken={csrfToken} label="Mapping" class="grid gap-6">
      <FormErrors errors={errors} />
      <Card title="1. Sample payload">
        <TextArea
          name="payload_example"
          label="Payload (JSON)"
          hint="Paste an alert as the tool sends it. The sample is stored with the integration."
          value={values.example}
          errors={errors?.fields['payload_example']}
          rows={10}
          code
        />
        <div class="flex flex-wrap items-center gap-3">
          <Button variant="outline" name="step" value="fields">
            Parse payload
          </Button>
          <span class="text-muted-foreground">{foundText(choices)}</span>
        </div>
      </Card>
      {choices.length > 0 && <FieldChoices values={values} options={options} errors={errors} />}
      {choices.length > 0 && <RecoveryRule values={values} options={options} errors={errors} />}
      <FormActions>
        <Button name="step" value="save">
          Save mapping
        </Button>
        <ButtonLink href={path} variant="ghost">
          Cancel
        </ButtonLink>
      </FormActions>
    </Form>
  );
}

interface ChoicesProps extends Pick<MappingState, 'values' | 'errors'> {
  options: Choice[];
}

function FieldChoices({ values, options, errors }: ChoicesProps): VNode {
  return (
    <Card title="2. Map payload fields">
      <div class="grid gap-4 md:grid-cols-2">
        {FIELD_NAMES.map((name) => (
          <SelectField
            key={name}
            name={`mapping[${name}]`}
            label={fieldLabel(name)}
            options={[{ value: '', label: NOT_MAPPED }, ...options]}
            value={values.paths[name] ?? ''}
            errors={errors?.fields[`mapping[${name}]`]}
          />
        ))}
      </div>
    </Card>
  );
}

function RecoveryRule({ values, options, errors }: ChoicesProps): VNode {
  return (
    <Card title="3. Recovery condition">
      <p class="text-muted-foreground">
        An end time always resolves the alert. For tools that send a status instead, select its
        field and the values that mean recovered, e.g. recovered, ok. Not case-sensitive.
      </p>
      <div class="grid gap-4 md:grid-cols-2">
        <SelectField
          name="resolved_path"
          label="Field"
          options={[{ value: '', label: 'None' }, ...options]}
          value={values.resolvedPath}
          errors={errors?.fields['resolved_when']}
        />
        <TextField
          name="resolved_values"
          label="Values (comma-separated)"
          value={values.resolvedWords}
        />
      </div>
    </Card>
  );
}

function choiceOf({ path, label, type }: PayloadField): Choice {
  const shown = label.length > MAX_CHOICE_LENGTH ? `…${label.slice(1 - MAX_CHOICE_LENGTH)}` : label;
  return { value: JSON.stringify(path), label: `${shown} (${type.toLowerCase()})` };
}

function foundText(choices: PayloadField[]): string {
  if (choices.length === 0) return 'Paste a sample payload to list its fields.';
  return `${counted(choices.length, 'field')} found`;
}

const LABELS: Record<string, string> = {
  SVC_ENVIRONMENT_NAME: 'Environment',
  MONITORING_TOOL: 'Monitoring tool',
};

/** `START_TIME` → `Start time`. */
function fieldLabel(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase();
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
