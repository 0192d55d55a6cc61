import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { passwordHint } from '../../users/password-rules.js';

interface SignUpPageProps {
  csrfToken: string;
  errors: FormProblems | undefined;
  minimumLength: number;
  name: string;
  username: string;
  email: string;
}

/** The form to register with. */
export function SignUpPage({
  csrfToken,
  errors,
  minimumLength,
  ...values
}: SignUpPageProps): VNode {
  return (
    <>
      <PageHeader title="Register" />
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
            <Button>Register</Button>
            <ButtonLink href="/users/sign_in" variant="ghost">
              Sign in instead
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
        hint="Part of the addresses of your projects."
        autocomplete="username"
        maxLength={255}
        errors={errors?.fields['username']}
        required
      />
      <TextField
        name="email"
        label="E-mail address"
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
