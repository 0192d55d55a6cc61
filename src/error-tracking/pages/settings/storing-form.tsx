import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { Card } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import { given } from '../../../core/ui/form-input.decorator.js';
import type { FilledForm } from './error-form-values.js';

interface StoringFormProps extends FilledForm {
  action: string;
  csrfToken: string;
  /** Default retention of the instance in days. */
  usualDays: number;
}

const MOST_DAYS = 365;

/** Form of data scrubbing and retention. */
export function StoringForm(props: StoringFormProps): VNode {
  const { action, csrfToken, usualDays, values, errors } = props;
  return (
    <Card title="What is stored">
      <Form action={action} csrfToken={csrfToken} label="What is stored">
        <FormErrors errors={errors} />
        <ScrubFields values={values} errors={errors} />
        <TextField
          name="retention_days"
          value={given(values, 'retention_days')}
          errors={errors?.fields['retention_days']}
          type="number"
          label="Keep events for so many days"
          hint={`Empty: ${usualDays}, as everywhere in this installation. The first and the newest event of an error stay as long as the error.`}
          min={1}
          max={MOST_DAYS}
        />
        <FormActions>
          <Button>Save changes</Button>
        </FormActions>
      </Form>
    </Card>
  );
}

function ScrubFields({ values, errors }: FilledForm): VNode {
  const field = (name: string) => ({ name, errors: errors?.fields[name] });
  const tick = (name: string) => ({ ...field(name), checked: given(values, name) === 'true' });
  const text = (name: string) => ({ ...field(name), value: given(values, name), code: true });
  return (
    <>
      <CheckboxField
        {...tick('scrub_data')}
        label="Remove what looks secret"
        hint="Passwords, tokens, API keys, cookies of sessions and numbers of credit cards become [Filtered]."
      />
      <CheckboxField
        {...tick('scrub_ip_addresses')}
        label="Remove IP addresses"
        hint="Of users and of whoever sends the event."
      />
      <TextArea
        {...text('sensitive_fields')}
        label="More fields to remove"
        hint="One word per line, such as iban. Whatever has it in its name is removed."
      />
      <TextArea
        {...text('safe_fields')}
        label="Fields to keep"
        hint="One whole name per line, such as token_count. They are never removed for their names."
      />
    </>
  );
}
