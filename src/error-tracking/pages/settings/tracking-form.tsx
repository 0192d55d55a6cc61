import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { CheckboxField, RadioGroup } from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { given } from '../../../core/ui/form-input.decorator.js';
import type { FilledForm } from './error-form-values.js';

interface TrackingFormProps extends FilledForm {
  action: string;
  csrfToken: string;
  /** True if the instance enables the built-in backend. */
  isOffered: boolean;
}

const MAX_LENGTH = 255;

/** Form that enables error tracking and selects the backend. */
export function TrackingForm(props: TrackingFormProps): VNode {
  const { action, csrfToken, isOffered, values, errors } = props;
  return (
    <Card title="Error tracking">
      <Form
        action={action}
        csrfToken={csrfToken}
        label="Error tracking"
        class="group/tracking grid w-full max-w-2xl gap-5"
      >
        <FormErrors errors={errors} />
        <CheckboxField
          name="enabled"
          label="Track errors"
          hint="Keys and errors stay when it is switched off; what programs send is refused then."
          checked={given(values, 'enabled') === 'true'}
          errors={errors?.fields['enabled']}
        />
        <RadioGroup
          name="integrated"
          label="Where errors are collected"
          options={backends(isOffered)}
          value={given(values, 'integrated')}
          errors={errors?.fields['integrated']}
        />
        <TrackerFields values={values} errors={errors} />
        <FormActions>
          <Button>Save changes</Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function backends(isOffered: boolean) {
  const here = isOffered
    ? 'Programs send their errors to an address of this project.'
    : 'Switched off for the whole instance by an administrator.';
  return [
    { value: 'true', label: 'Here', hint: here },
    {
      value: 'false',
      label: 'An external tracker',
      hint: 'A Sentry-compatible one; the errors of this project lead there.',
    },
  ];
}

/** Only of an external tracker: out of sight while errors are collected here. */
function TrackerFields({ values, errors }: FilledForm): VNode {
  const field = (name: string) => ({
    name,
    value: given(values, name),
    errors: errors?.fields[name],
  });
  return (
    <div class="grid gap-5 group-has-[#field-integrated-true:checked]/tracking:hidden">
      <TextField
        {...field('api_url')}
        bare
        type="url"
        label="API URL"
        hint="Of the project in the tracker, such as https://sentry.example.com/api/0/projects/acme/shop/."
        maxLength={MAX_LENGTH}
      />
      <TextField
        {...field('token')}
        bare
        label="Token"
        hint="Kept encrypted and never shown again. It is forgotten when the API URL is changed without a new one."
        autocomplete="off"
        maxLength={MAX_LENGTH}
      />
      <TextField
        {...field('project_name')}
        label="Name of the project there"
        maxLength={MAX_LENGTH}
      />
    </div>
  );
}
