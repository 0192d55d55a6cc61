import type { ValidationMessages } from '../../core/errors.js';
import { visibilityName } from '../../identity/members/visibility.js';
import { displayNameProblems, pathProblems } from '../../identity/users/naming-rules.js';

const NAME_PATTERN =
  /^[\p{L}\p{N}\p{Extended_Pictographic}_](?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Pd}_.()+ ]|\u200d)*$/u;
const NAME_MESSAGE =
  "can contain only letters, digits, emoji, '_', '.', '(', ')', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.";

/** Most groups one inside the other, the top one included. */
export const MAX_DEPTH = 20;

export const TAKEN = 'has already been taken';

/** Messages that refuse a group's or project's name, none when it is good. */
function nameProblems(name: string): string[] {
  const problems = displayNameProblems(name);
  return problems.length > 0 || NAME_PATTERN.test(name) ? problems : [NAME_MESSAGE];
}

/** All messages about name and path, ready for a refusal; empty when both are good. */
export function namingProblems(
  given: { name: string; path: string },
  level: 'top' | 'below',
): Record<string, string[]> {
  const name = nameProblems(given.name);
  const path = pathProblems(given.path, level);
  return { ...(name.length > 0 && { name }), ...(path.length > 0 && { path }) };
}

/** A child is never more visible than its group (API doc, groups). null when it is not. */
export function visibilityProblem(
  wanted: number,
  parentVisibility: number | null,
): ValidationMessages | null {
  if (parentVisibility === null || wanted <= parentVisibility) return null;
  const text = `${visibilityName(wanted)} is not allowed since the parent group has a ${visibilityName(parentVisibility)} visibility.`;
  return { visibility_level: [text] };
}

/** Both forms of the parameter that turns emails about a project or group on or off. */
interface EmailParameters {
  emails_enabled?: boolean | null;
  emails_disabled?: boolean | null;
}

/** Returns the wanted setting; the newer form wins, undefined when neither is given. */
export function emailsEnabledOf(dto: EmailParameters): boolean | undefined {
  const former = dto.emails_disabled == null ? undefined : !dto.emails_disabled;
  return dto.emails_enabled ?? former;
}
