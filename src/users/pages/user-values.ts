import type { UserDetails } from '../user.presenter.js';

/** What the fields of a user's form hold, by the names of the API. */
export type UserValues = Record<string, unknown>;

/** Text of a field; nothing but texts, numbers and booleans is ever shown. */
export function textOf(values: UserValues, name: string): string {
  const value = values[name];
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** What a new user's form begins with: the defaults of the columns. */
export const NEW_USER: UserValues = { can_create_group: true, projects_limit: 100_000 };

/** What the form of an existing user begins with. */
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

/** A field for a password that was left empty asks for nothing. */
export function withoutEmptyPassword({ password, ...form }: UserValues): UserValues {
  return password === undefined || password === '' ? form : { ...form, password };
}
