import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Form, FormActions } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { AccountSection } from '../../../core/ui/sections/account.js';
import { passwordHint } from '../../users/password-rules.js';

interface PasswordChangePageProps {
  username: string;
  minimumLength: number;
  errors?: FormProblems;
  csrfToken: string;
}

const FIELDS = [
  { name: 'current_password', label: 'Current password', autocomplete: 'current-password' },
  { name: 'password', label: 'New password', autocomplete: 'new-password' },
  { name: 'password_confirmation', label: 'New password again', autocomplete: 'new-password' },
] as const;

/** The form for a new password. */
export function PasswordChangePage(props: PasswordChangePageProps): VNode {
  const { username, minimumLength, errors, csrfToken } = props;
  return (
    <AccountSection current="password">
      <PageHeader
        title="Password"
        description="Every other browser and every application has to sign in again afterwards. Access tokens keep working."
      />
      <Card>
        <Form action="/-/user_settings/password" csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          {/* Password managers learn from it whose password this is. */}
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
              Forgot it?
            </ButtonLink>
          </FormActions>
        </Form>
      </Card>
    </AccountSection>
  );
}
