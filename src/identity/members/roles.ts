/** Access levels by their usual names (API doc, members). */
export const ROLES = {
  minimal: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
} as const;

export type Role = keyof typeof ROLES;

/** A role as the API and the database write it. */
export type AccessLevel = (typeof ROLES)[Role];

/** Levels that a membership can be given over the API. */
export const ASSIGNABLE_LEVELS = [10, 15, 20, 30, 40, 50] as const;
export type AssignableLevel = (typeof ASSIGNABLE_LEVELS)[number];

/** No access: below every role. */
export const NO_ACCESS = 0;

/** The role's name as sentences show it: `Developer`. */
export function roleName(level: number): string {
  const role = Object.entries(ROLES).find(([, value]) => value === level)?.[0];
  if (role === undefined) throw new Error(`Unknown access level ${level}`);
  return `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
}

/** Roles that someone with this level can hand out, for a list to choose from. */
export function roleOptions(upTo: number): { value: string; label: string }[] {
  return ASSIGNABLE_LEVELS.filter((level) => level <= upTo).map((level) => ({
    value: String(level),
    label: roleName(level),
  }));
}
