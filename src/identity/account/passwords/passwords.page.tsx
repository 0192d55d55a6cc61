import type { VNode, ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import { passwordHint } from '../../users/password-rules.js';

interface FormPageProps {
  csrfToken: string;
  errors?: FormProblems | undefined;
}

interface PasswordChangePageProps extends FormPageProps {
  username: string;
  minimumLength: number;
}

const FIELDS = [
  { name: 'current_password', label: 'Current password', autocomplete: 'current-password' },
  { name: 'password', label: 'New password', autocomplete: 'new-password' },
  { name: 'password_confirmation', label: 'Confirm new password', autocomplete: 'new-password' },
] as const;

/** The form for a new password. */
export function PasswordChangePage(props: PasswordChangePageProps): VNode {
  const { username, minimumLength, errors, csrfToken } = props;
  return (
    <>
      <PageHeader
        title="Password"
        description="Changing it signs out all other browsers and applications. Access tokens keep working."
      />
      <Card>
        <Form action="/-/user_settings/password" csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          {/* Tells password managers which account it is. */}
          <input
            type="text"
            name="username"
            value={username}
            autocomplete="username"
            readOnly
            hidden
          />
          {FIELDS.map((field) => (
            <TextField
              key={field.name}
              {...field}
              type="password"
              required
              errors={errors?.fields[field.name]}
              {...(field.name === 'password' && {
                hint: passwordHint(minimumLength),
              })}
            />
          ))}
          <FormActions>
            <Button>Change password</Button>
            <ButtonLink href="/users/password/new" variant="ghost">
              Forgot password?
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </>
  );
}

/** The form to request an emailed link. */
export function ForgottenPasswordPage({ csrfToken, errors }: FormPageProps): VNode {
  return (
    <>
      <PageHeader title="Reset password" description="Enter your email to get a reset link." />
      <MailRequestForm
        action="/users/password"
        submit="Send reset link"
        csrfToken={csrfToken}
        errors={errors}
      >
        <ButtonLink href="/users/sign_in" variant="ghost">
          Back to sign in
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

/** The form behind the emailed link. */
export function NewPasswordPage(props: NewPasswordPageProps): VNode {
  const { token, minimumLength, csrfToken, errors } = props;
  return (
    <>
      <PageHeader
        title="Set a new password"
        description="Signs out all browsers and applications."
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
            label="Confirm new password"
            type="password"
            autocomplete="new-password"
            maxLength={128}
            errors={errors?.fields['password_confirmation']}
            required
          />
          <FormActions submit="Set password" />
        </Form>
      </Card>
    </>
  );
}

interface MailRequestFormProps {
  action: string;
  /** Label of the button. */
  submit: string;
  csrfToken: string;
  errors?: FormProblems | undefined;
  /** Alternatives to sending the form. */
  children?: ComponentChildren;
}

/** Form with the address that a link is sent to. */
export function MailRequestForm(props: MailRequestFormProps): VNode {
  const { action, submit, csrfToken, errors, children } = props;
  return (
    <Card>
      <Form action={action} csrfToken={csrfToken}>
        <FormErrors errors={errors} />
        <TextField
          name="email"
          label="Email"
          type="email"
          autocomplete="email"
          maxLength={254}
          required
          autofocus
        />
        <FormActions>
          <Button>{submit}</Button>
          {children}
        </FormActions>
      </Form>
    </Card>
  );
}
