import type { ComponentChildren, VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';

interface MailRequestFormProps {
  action: string;
  csrfToken: string;
  errors?: FormProblems | undefined;
  /** Alternatives to sending the form. */
  children?: ComponentChildren;
}

/** Form with the address that a link is sent to. */
export function MailRequestForm(props: MailRequestFormProps): VNode {
  const { action, csrfToken, errors, children } = props;
  return (
    <Card>
      <Form action={action} csrfToken={csrfToken}>
        <FormErrors errors={errors} />
        <TextField
          name="email"
          label="E-mail address"
          type="email"
          autocomplete="email"
          maxLength={254}
          required
          autofocus
        />
        <FormActions>
          <Button>Send mail</Button>
          {children}
        </FormActions>
      </Form>
    </Card>
  );
}
