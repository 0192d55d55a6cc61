import type { UserDetails } from '../user.presenter.js';

/** Values of a user form, by the names of the API. */
export type UserValues = Record<string, unknown>;

/** Text of a field; nothing but texts, numbers and booleans is ever shown. */
export function textOf(values: UserValues, name: string): string {
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
