import type { VNode } from 'preact';
import { AvatarCard } from '../../../core/ui/components/avatar.js';
import { CheckboxField } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';
import type { UserDetails } from '../user.presenter.js';

/** Values of a user form, by the names of the API. */
export type UserValues = Record<string, unknown>;

/** Text of a field; nothing but texts, numbers and booleans is ever shown. */
function textOf(values: UserValues, name: string): string {
  const value = values[name];
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Initial values of a new user: the column defaults. */
export const NEW_USER: UserValues = { can_create_group: true, projects_limit: 100_000 };

/** Returns the initial values of an existing user. */
export function valuesOf(user: UserDetails): UserValues {
  return {
    name: user.name,
    username: user.username,
    email: user.email,
    admin: user.admin,
    external: user.external,
    can_create_group: user.canCreateGroup,
    projects_limit: user.projectsLimit,
    private_profile: user.privateProfile,
    public_email: user.publicEmail,
    job_title: user.jobTitle,
    organization: user.organization,
    location: user.location,
    website_url: user.websiteUrl,
    pronouns: user.pronouns,
    bio: user.bio,
    note: user.note,
  };
}

/** Removes a password field that was left empty. */
export function withoutEmptyPassword({ password, ...form }: UserValues): UserValues {
  return password === undefined || password === '' ? form : { ...form, password };
}

interface UserFormPageProps {
  csrfToken: string;
  /** null for a new user. */
  user: { id: number; name: string; avatar: string | null; isPerson: boolean } | null;
  values: UserValues;
  errors?: FormProblems | null;
  avatarErrors?: FormProblems | null;
}

/** The form for a new or existing user. */
export function UserFormPage(props: UserFormPageProps): VNode {
  const { csrfToken, user, values, errors, avatarErrors } = props;
  const action = user === null ? '/admin/users' : `/admin/users/${user.id}`;
  return (
    <>
      <PageHeader title={user === null ? 'New user' : `Edit ${user.name}`} />
      {user !== null && (
        <AvatarCard
          action={`${action}/avatar`}
          csrfToken={csrfToken}
          kind="user"
          owner={user}
          errors={avatarErrors?.fields['avatar']}
        />
      )}
      <Form action={action} csrfToken={csrfToken} class="grid w-full gap-4">
        <FormErrors errors={errors} />
        <Account values={values} errors={errors} user={user} />
        {user?.isPerson !== false && <Rights values={values} errors={errors} />}
        {user !== null && <Profile values={values} errors={errors} />}
        <Card title="Remarks">
          <TextArea
            name="note"
            label="Note"
            value={textOf(values, 'note')}
            hint="Visible to administrators only."
            errors={errors?.fields['note']}
            maxLength={10_000}
          />
        </Card>
        <FormActions submit={user === null ? 'Create user' : 'Save changes'} cancel={action} />
      </Form>
    </>
  );
}

interface PartProps {
  values: UserValues;
  errors: FormProblems | null | undefined;
}

function Account({ values, errors, user }: PartProps & Pick<UserFormPageProps, 'user'>): VNode {
  return (
    <Card title="Account">
      <TextField
        name="name"
        label="Full name"
        value={textOf(values, 'name')}
        errors={errors?.fields['name']}
        maxLength={255}
        required
      />
      <TextField
        name="username"
        label="Username"
        value={textOf(values, 'username')}
        hint={user === null ? undefined : 'Former repository URLs redirect.'}
        errors={errors?.fields['username']}
        maxLength={255}
        required
      />
      <TextField
        name="email"
        label="Email"
        type="email"
        value={textOf(values, 'email')}
        errors={errors?.fields['email']}
        maxLength={254}
        required
      />
      {user?.isPerson !== false && <Password errors={errors} isNew={user === null} />}
    </Card>
  );
}

function Password({ errors, isNew }: { errors: PartProps['errors']; isNew: boolean }): VNode {
  return (
    <TextField
      name="password"
      label={isNew ? 'Password' : 'New password'}
      type="password"
      hint={
        isNew
          ? 'Leave blank to let the user set one with "Forgot password?".'
          : 'Leave blank to keep the current password. Changing it signs the user out everywhere.'
      }
      errors={errors?.fields['password']}
      autocomplete="new-password"
      maxLength={128}
    />
  );
}

function Rights({ values, errors }: PartProps): VNode {
  return (
    <Card title="Rights">
      <CheckboxField
        name="admin"
        label="Administrator"
        hint="Full access to everything."
        checked={textOf(values, 'admin') === 'true'}
        errors={errors?.fields['admin']}
      />
      <CheckboxField
        name="external"
        label="External"
        hint="Can only access public content and the groups and projects they are a member of."
        checked={textOf(values, 'external') === 'true'}
        errors={errors?.fields['external']}
      />
      <CheckboxField
        name="can_create_group"
        label="Can create top-level groups"
        checked={textOf(values, 'can_create_group') === 'true'}
        errors={errors?.fields['can_create_group']}
      />
      <TextField
        name="projects_limit"
        label="Personal project limit"
        type="number"
        min={0}
        value={textOf(values, 'projects_limit')}
        errors={errors?.fields['projects_limit']}
        required
      />
    </Card>
  );
}

const PROFILE = [
  { name: 'public_email', label: 'Public email', maxLength: 255 },
  { name: 'job_title', label: 'Job title', maxLength: 255 },
  { name: 'organization', label: 'Organization', maxLength: 255 },
  { name: 'location', label: 'Location', maxLength: 255 },
  { name: 'website_url', label: 'Website', maxLength: 2048 },
  { name: 'pronouns', label: 'Pronouns', maxLength: 50 },
  { name: 'bio', label: 'About the user', maxLength: 255 },
] as const;

function Profile({ values, errors }: PartProps): VNode {
  return (
    <Card title="Profile">
      {PROFILE.map(({ name, label, maxLength }) => (
        <TextField
          key={name}
          name={name}
          label={label}
          value={textOf(values, name)}
          errors={errors?.fields[name]}
          maxLength={maxLength}
        />
      ))}
      <CheckboxField
        name="private_profile"
        label="Private profile"
        hint="Hides the join date from other users."
        checked={textOf(values, 'private_profile') === 'true'}
        errors={errors?.fields['private_profile']}
      />
    </Card>
  );
}
