import type { VNode } from 'preact';
import type { Viewer } from '../../../core/access/auth-context.js';
import { AvatarCard } from '../../../core/ui/components/avatar.js';
import { CheckboxField, SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';
import { Form, FormActions, FormErrors } from '../../../core/ui/components/form.js';
import { TextArea, TextField } from '../../../core/ui/components/text-field.js';
import type { FormProblems } from '../../../core/ui/forms.js';

export const PROFILE_PATH = '/-/user_settings/profile';

/** Values as the form shows them, by the names of its fields. */
export interface ProfileValues {
  name: string;
  public_email: string;
  bio: string;
  location: string;
  website_url: string;
  organization: string;
  job_title: string;
  pronouns: string;
  private_profile: boolean;
}

interface ProfilePageProps {
  viewer: Viewer;
  values: ProfileValues;
  /** Addresses that can be shown to everyone. */
  confirmedEmails: string[];
  errors?: FormProblems;
  avatarErrors?: FormProblems;
  csrfToken: string;
}

/** Profile form. */
export function ProfilePage(props: ProfilePageProps): VNode {
  const { viewer, values, csrfToken, errors, avatarErrors } = props;
  const problems = (name: keyof ProfileValues): string[] | undefined => errors?.fields[name];
  return (
    <>
      <PageHeader title="Profile" description={`Public information about @${viewer.username}.`} />
      <AvatarCard
        action={`${PROFILE_PATH}/avatar`}
        csrfToken={csrfToken}
        kind="user"
        owner={viewer}
        errors={avatarErrors?.fields['avatar']}
      />
      <Card>
        <Form action={PROFILE_PATH} csrfToken={csrfToken}>
          <FormErrors errors={errors} />
          <TextField
            name="name"
            label="Name"
            value={values.name}
            errors={problems('name')}
            required
            maxLength={255}
            autocomplete="name"
          />
          <PublicEmailField {...props} />
          <TextArea
            name="bio"
            label="About you"
            value={values.bio}
            errors={problems('bio')}
            rows={3}
            maxLength={255}
          />
          <Details values={values} problems={problems} />
          <CheckboxField
            name="private_profile"
            label="Private profile"
            hint="Hides your join date"
            checked={values.private_profile}
            errors={problems('private_profile')}
          />
          <FormActions submit="Save changes" />
        </Form>
      </Card>
    </>
  );
}

function PublicEmailField({ values, confirmedEmails, errors }: ProfilePageProps): VNode {
  const options = confirmedEmails.map((email) => ({ value: email, label: email }));
  return (
    <SelectField
      name="public_email"
      label="Public email"
      hint="Shown to everyone. Only confirmed addresses can be selected."
      options={[{ value: '', label: 'Show none' }, ...options]}
      value={values.public_email}
      errors={errors?.fields['public_email']}
    />
  );
}

interface DetailsProps {
  values: ProfileValues;
  problems: (name: keyof ProfileValues) => string[] | undefined;
}

const DETAILS = [
  { name: 'pronouns', label: 'Pronouns', maxLength: 50 },
  { name: 'location', label: 'Location', maxLength: 255 },
  { name: 'organization', label: 'Organization', maxLength: 255, autocomplete: 'organization' },
  { name: 'job_title', label: 'Job title', maxLength: 255, autocomplete: 'organization-title' },
] as const;

function Details({ values, problems }: DetailsProps): VNode {
  return (
    <>
      <TextField
        name="website_url"
        label="Website"
        type="url"
        value={values.website_url}
        errors={problems('website_url')}
        placeholder="https://"
        maxLength={2048}
        autocomplete="url"
      />
      <div class="grid gap-5 sm:grid-cols-2">
        {DETAILS.map((field) => (
          <TextField
            key={field.name}
            {...field}
            value={values[field.name]}
            errors={problems(field.name)}
          />
        ))}
      </div>
    </>
  );
}
