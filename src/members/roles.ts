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

/** Levels that a membership may be given over the API. */
export const ASSIGNABLE_LEVELS: readonly number[] = [10, 15, 20, 30, 40, 50];

/** Nobody: below every role. */
export const NO_ACCESS = 0;
