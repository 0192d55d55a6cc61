import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { MailRequestForm } from '../mail-links/mail-request-form.js';
import { passwordHint } from '../../users/password-rules.js';

interface FormPageProps {
  csrfToken: string;
  errors?: FormProblems | undefined;
}

/** Asks who forgot their password. */
export function ForgottenPasswordPage({ csrfToken, errors }: FormPageProps): VNode {
  return (
    <>
      <PageHeader
        title="Forgotten password"
        description="We mail you a link that opens a page to set a new one."
      />
      <MailRequestForm action="/users/password" csrfToken={csrfToken} errors={errors}>
        <ButtonLink href="/users/sign_in" variant="ghost">
          Back to sign-in
        </ButtonLink>
      </MailRequestForm>
    </>
  );
}

interface NewPasswordPageProps extends FormPageProps {
  /** Token of the emailed link. */
  token: string;
  minimumLength: number;
}

/** Sets a new password. */
export function NewPasswordPage(props: NewPasswordPageProps): VNode {
  const { token, minimumLength, csrfToken, errors } = props;
  return (
    <>
      <PageHeader
        title="New password"
        description="All browsers and applications have to sign in again afterwards."
      />
      <Card>
        <Form action="/users/password/edit" csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <input type="hidden" name="reset_password_token" value={token} />
          <TextField
            name="password"
            label="New password"
            type="password"
            hint={passwordHint(minimumLength)}
            autocomplete="new-password"
            minLength={minimumLength}
            maxLength={128}
            errors={errors?.fields['password']}
            required
            autofocus
          />
          <TextField
            name="password_confirmation"
            label="New password again"
            type="password"
            autocomplete="new-password"
            maxLength={128}
            errors={errors?.fields['password_confirmation']}
            required
          />
          <FormActions>
            <Button>Set password</Button>
          </FormActions>
        </Form>
      </Card>
    </>
  );
}
