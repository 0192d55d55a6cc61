import { ASSIGNABLE_LEVELS, roleName } from '../roles.js';

/** Roles that someone with this level may hand out, for a list to choose from. */
export function roleOptions(upTo: number): { value: string; label: string }[] {
  return ASSIGNABLE_LEVELS.filter((level) => level <= upTo).map((level) => ({
    value: String(level),
    label: roleName(level),
  }));
}
