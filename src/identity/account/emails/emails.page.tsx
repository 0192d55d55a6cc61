import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge, Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors, PostButton } from '../../../core/ui/components/form.js';
import { Item, ItemList } from '../../../core/ui/components/list.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { UserEmail } from '../../users/user.entity.js';
import { MailRequestForm } from '../passwords/passwords.page.js';

export const EMAILS_PATH = '/-/user_settings/emails';

interface EmailsPageProps {
  primary: { email: string; isConfirmed: boolean };
  emails: UserEmail[];
  /** As it was given, when it could not be added. */
  given?: string;
  errors?: FormProblems;
  csrfToken: string;
}

/** The user's addresses, and a form for a further one. */
export function EmailsPage({ primary, emails, given, errors, csrfToken }: EmailsPageProps): VNode {
  return (
    <>
      <PageHeader
        title="Emails"
        description="Emails go to your primary address. You can sign in with any confirmed address."
      />
      <Card flush>
        <ItemList label="Emails">
          <PrimaryItem {...primary} csrfToken={csrfToken} />
          {emails.map((email) => (
            <FurtherItem key={email.id} email={email} csrfToken={csrfToken} />
          ))}
        </ItemList>
      </Card>
      <Card title="Add email">
        <Form action={EMAILS_PATH} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <TextField
            name="email"
            label="Email"
            type="email"
            value={given}
            errors={errors?.fields['email']}
            hint="We'll email you a confirmation link."
            required
            maxLength={254}
            autocomplete="email"
          />
          <FormActions submit="Add email" />
        </Form>
      </Card>
    </>
  );
}

function PrimaryItem({ email, isConfirmed, csrfToken }: EmailsPageProps['primary'] & Csrf): VNode {
  return (
    <Item
      title={
        <>
          <span class="min-w-0">{email}</span>
          <Badge tone="info">Primary</Badge>
          <Confirmation isConfirmed={isConfirmed} />
        </>
      }
      actions={
        isConfirmed ? undefined : (
          <PostButton action={`${EMAILS_PATH}/confirm`} csrfToken={csrfToken} size="small">
            Resend link
          </PostButton>
        )
      }
    />
  );
}

interface Csrf {
  csrfToken: string;
}

function FurtherItem({ email: { id, email, confirmedAt }, csrfToken }: FurtherItemProps): VNode {
  const isConfirmed = confirmedAt !== null;
  const title = (
    <>
      <span class="min-w-0">{email}</span>
      <Confirmation isConfirmed={isConfirmed} />
    </>
  );
  const actions = (
    <>
      {isConfirmed ? (
        <MakePrimaryButton id={id} email={email} csrfToken={csrfToken} />
      ) : (
        <PostButton action={`${EMAILS_PATH}/${id}/confirm`} csrfToken={csrfToken} size="small">
          Resend link
          <span class="sr-only"> to {email}</span>
        </PostButton>
      )}
      <ConfirmButton
        label="Remove"
        title={`Remove ${email}?`}
        question={`${email} no longer belongs to your account.`}
        confirm="Remove email"
        action={`${EMAILS_PATH}/${id}/delete`}
        csrfToken={csrfToken}
        size="small"
      />
    </>
  );
  return <Item title={title} actions={actions} />;
}

type FurtherItemProps = Csrf & { email: UserEmail };

/** Asks for the password: the owner of the primary email can reset the password. */
function MakePrimaryButton({ id, email, csrfToken }: Csrf & { id: number; email: string }): VNode {
  return (
    <ConfirmButton
      label="Make primary"
      title={`Make ${email} primary?`}
      question={`All emails, including password resets, go to ${email}.`}
      confirm="Make primary"
      action={`${EMAILS_PATH}/${id}/primary`}
      csrfToken={csrfToken}
      variant="outline"
      size="small"
    >
      <TextField
        name="current_password"
        id={`current-password-${id}`}
        label="Current password"
        type="password"
        required
        autocomplete="current-password"
      />
    </ConfirmButton>
  );
}

function Confirmation({ isConfirmed }: { isConfirmed: boolean }): VNode {
  if (isConfirmed) return <Badge tone="success">Confirmed</Badge>;
  return <Badge tone="warning">Unconfirmed</Badge>;
}

interface ConfirmationPageProps {
  csrfToken: string;
  token: string;
  email: string;
}

/** The button that confirms an address. */
export function ConfirmationPage({ csrfToken, token, email }: ConfirmationPageProps): VNode {
  return (
    <>
      <PageHeader title="Confirm your email" />
      <Card>
        <Form action="/users/confirmation/verify" csrfToken={csrfToken}>
          <p>
            Confirm that <strong>{email}</strong> is your email address.
          </p>
          <input type="hidden" name="confirmation_token" value={token} />
          <FormActions submit="Confirm email" />
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
        title="Confirm your email"
        description="Enter your email to get a new confirmation link."
      />
      <MailRequestForm
        action="/users/confirmation"
        submit="Resend confirmation email"
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
