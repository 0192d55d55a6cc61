import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import { passwordHint } from '../../users/password-rules.js';

interface SignInPageProps {
  /** Where the form goes. */
  action: string;
  csrfToken: string;
  login?: string;
  errors?: FormProblems;
  isUnconfirmed?: boolean;
  mayRegister: boolean;
  /** Offers "Remember me". */
  mayStay: boolean;
  /** The user is signed in. */
  isAgain: boolean;
}

/** Sign-in form. */
export function SignInPage({
  action,
  csrfToken,
  errors,
  mayStay,
  ...props
}: SignInPageProps): VNode {
  const isNew = (props.login ?? '') === '';
  return (
    <>
      <PageHeader title="Sign in" />
      <Card>
        <Form action={action} csrfToken={csrfToken}>
          {props.isAgain && (
            <p class="text-muted-foreground">Sign in again to continue. You stay signed in here.</p>
          )}
          <FormErrors errors={errors} focused={false} />
          <TextField
            name="user[login]"
            label="Username or email"
            value={props.login}
            autocomplete="username"
            maxLength={254}
            required
            autofocus={isNew}
          />
          <TextField
            name="user[password]"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            autofocus={!isNew}
          />
          {mayStay && <CheckboxField name="user[remember_me]" label="Remember me" />}
          <FormActions submit="Sign in" />
        </Form>
      </Card>
      <OtherWays mayRegister={props.mayRegister} isUnconfirmed={props.isUnconfirmed === true} />
    </>
  );
}

function OtherWays(props: { mayRegister: boolean; isUnconfirmed: boolean }): VNode {
  return (
    <ul class="text-muted-foreground grid gap-2">
      {props.isUnconfirmed && (
        <li>
          <a class="prose-link" href="/users/confirmation/new">
            Resend confirmation email
          </a>
        </li>
      )}
      <li>
        <a class="prose-link" href="/users/password/new">
          Forgot password?
        </a>
      </li>
      {props.mayRegister && (
        <li>
          New here?{' '}
          <a class="prose-link" href="/users/sign_up">
            Sign up
          </a>
        </li>
      )}
    </ul>
  );
}

interface SignUpPageProps {
  csrfToken: string;
  errors: FormProblems | undefined;
  minimumLength: number;
  name: string;
  username: string;
  email: string;
}

/** Sign-up form. */
export function SignUpPage({
  csrfToken,
  errors,
  minimumLength,
  ...values
}: SignUpPageProps): VNode {
  return (
    <>
      <PageHeader title="Sign up" />
      <Card>
        <Form action="/users/sign_up" csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <Fields errors={errors} values={values} />
          <TextField
            name="password"
            label="Password"
            type="password"
            hint={passwordHint(minimumLength)}
            autocomplete="new-password"
            minLength={minimumLength}
            maxLength={128}
            errors={errors?.fields['password']}
            required
          />
          <FormActions>
            <Button>Create account</Button>
            <ButtonLink href="/users/sign_in" variant="ghost">
              Already have an account? Sign in
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </>
  );
}

interface FieldsProps {
  errors: FormProblems | undefined;
  values: Pick<SignUpPageProps, 'name' | 'username' | 'email'>;
}

function Fields({ errors, values }: FieldsProps): VNode {
  return (
    <>
      <TextField
        name="name"
        label="Full name"
        value={values.name}
        autocomplete="name"
        maxLength={255}
        errors={errors?.fields['name']}
        required
        autofocus
      />
      <TextField
        name="username"
        label="Username"
        value={values.username}
        hint="Your profile URL: /username"
        autocomplete="username"
        maxLength={255}
        errors={errors?.fields['username']}
        required
      />
      <TextField
        name="email"
        label="Email"
        type="email"
        value={values.email}
        autocomplete="email"
        maxLength={254}
        errors={errors?.fields['email']}
        required
      />
    </>
  );
}
