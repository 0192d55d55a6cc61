import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { MailRequestForm } from '../mail-links/mail-request-form.js';

interface ConfirmationPageProps {
  csrfToken: string;
  token: string;
  email: string;
}

/** The button that confirms an address. */
export function ConfirmationPage({ csrfToken, token, email }: ConfirmationPageProps): VNode {
  return (
    <>
      <PageHeader title="Confirm your address" />
      <Card>
        <Form action="/users/confirmation/verify" csrfToken={csrfToken}>
          <p>
            Is <strong>{email}</strong> your e-mail address?
          </p>
          <input type="hidden" name="confirmation_token" value={token} />
          <FormActions>
            <Button>Confirm address</Button>
          </FormActions>
        </Form>
      </Card>
    </>
  );
}

interface NewConfirmationPageProps {
  csrfToken: string;
  errors?: FormProblems;
}

/** Form to request another confirmation email. */
export function NewConfirmationPage({ csrfToken, errors }: NewConfirmationPageProps): VNode {
  return (
    <>
      <PageHeader
        title="Confirm your address"
        description="We mail you a link that shows that the address is yours."
      />
      <MailRequestForm action="/users/confirmation" csrfToken={csrfToken} errors={errors}>
        <ButtonLink href="/users/sign_in" variant="ghost">
          Back to sign-in
        </ButtonLink>
      </MailRequestForm>
    </>
  );
}
