import type { VNode } from 'preact';
import { CheckboxField, RadioGroup } from '../../../core/ui/components/choice-fields.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { given, type FormProblems } from '../../../core/ui/forms.js';
import type { IntegrationType } from '../../alert-integration.entity.js';

/** Labels of the integration types. */
export const TYPE_LABELS: Record<IntegrationType, string> = {
  http: 'HTTP endpoint',
  prometheus: 'Prometheus',
  external_paging: 'External paging',
};

interface IntegrationFormProps {
  action: string;
  csrfToken: string;
  /** As the form sends them, by the names of the API. */
  values: Record<string, unknown>;
  errors: FormProblems | null;
  /** Of an integration that is there already: it keeps its type. */
  type: IntegrationType | null;
  cancel: string;
}

const MAX_NAME_LENGTH = 255;
const MAX_URL_LENGTH = 1024;

const TYPES = [
  {
    value: 'HTTP',
    label: TYPE_LABELS.http,
    hint: 'Accepts any JSON payload. Fields are matched by name or by a custom mapping.',
  },
  {
    value: 'PROMETHEUS',
    label: TYPE_LABELS.prometheus,
    hint: 'Accepts Prometheus Alertmanager webhooks, also from Grafana and compatible tools.',
  },
  {
    value: 'EXTERNAL_PAGING',
    label: TYPE_LABELS.external_paging,
    hint: 'Links to the service that handles alerts instead. Disables all other integrations while active.',
  },
];

interface Hints {
  name: string;
  apiUrl: string;
  active: string;
}

const RECEIVING: Hints = {
  name: 'Used as the source if the payload names no monitoring tool.',
  apiUrl: 'URL of the tool, e.g. https://alertmanager.example.com',
  active: 'Inactive integrations reject alerts.',
};

const HINTS: Record<IntegrationType, Hints> = {
  http: RECEIVING,
  prometheus: RECEIVING,
  external_paging: {
    name: 'Shown above the alert list.',
    apiUrl: 'URL of the service, e.g. https://paging.example.com',
    active: 'All other integrations of the project are disabled while it is active.',
  },
};

const HINTS_OF_NEW: Hints = {
  name: RECEIVING.name,
  apiUrl: 'URL of the tool. Required for Prometheus and external paging.',
  active: RECEIVING.active,
};

/** Creates or updates an integration. */
export function IntegrationForm(props: IntegrationFormProps): VNode {
  const { action, csrfToken, values, errors, type, cancel } = props;
  const hints = type === null ? HINTS_OF_NEW : HINTS[type];
  return (
    <Form action={action} csrfToken={csrfToken} label="Integration" class="group/integration form">
      <FormErrors errors={errors} />
      {type === null && <TypeChoice values={values} errors={errors} />}
      <TextField
        name="name"
        label="Name"
        hint={hints.name}
        value={given(values, 'name')}
        errors={errors?.fields['name']}
        maxLength={MAX_NAME_LENGTH}
        required
      />
      {type === null && (
        <div class="contents group-has-[#field-type-HTTP:checked]/integration:hidden">
          <AddressField type="text" values={values} errors={errors} hint={hints.apiUrl} />
        </div>
      )}
      {type !== null && type !== 'http' && (
        <AddressField type="url" values={values} errors={errors} hint={hints.apiUrl} required />
      )}
      <CheckboxField
        name="active"
        label="Active"
        hint={hints.active}
        checked={given(values, 'active') === 'true'}
        errors={errors?.fields['active']}
      />
      <FormActions submit={type === null ? 'Create integration' : 'Save changes'} cancel={cancel} />
    </Form>
  );
}

type FieldProps = Pick<IntegrationFormProps, 'values' | 'errors'>;

function TypeChoice({ values, errors }: FieldProps): VNode {
  return (
    <RadioGroup
      name="type"
      label="Type"
      options={TYPES}
      value={given(values, 'type') || 'HTTP'}
      errors={errors?.fields['type']}
      required
    />
  );
}

interface AddressFieldProps extends FieldProps {
  /** A field that can be hidden is text: browsers do not send a form with an invalid URL field. */
  type: 'text' | 'url';
  hint: string;
  required?: boolean;
}

function AddressField({ values, errors, ...field }: AddressFieldProps): VNode {
  return (
    <TextField
      {...field}
      name="api_url"
      label="API URL"
      value={given(values, 'api_url')}
      errors={errors?.fields['api_url']}
      maxLength={MAX_URL_LENGTH}
    />
  );
}
