import type { ValidationMessages } from '../../core/errors.js';
import { visibilityName } from '../../identity/members/visibility.js';
import { pathProblems } from '../../identity/users/namespace-path.js';

const NAME_PATTERN =
  /^[\p{L}\p{N}\p{Extended_Pictographic}_](?:[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Pd}_.()+ ]|\u200d)*$/u;
const NAME_MESSAGE =
  "can contain only letters, digits, emoji, '_', '.', '(', ')', '+', dashes, or spaces. It must start with a letter, digit, emoji, or '_'.";
const MAX_NAME_LENGTH = 255;

/** Most groups one inside the other, the top one included. */
export const MAX_DEPTH = 20;

export const TAKEN = 'has already been taken';

/** Messages that refuse a group's or project's name, none when it is good. */
export function nameProblems(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  if (name.length > MAX_NAME_LENGTH) {
    return [`is too long (maximum is ${MAX_NAME_LENGTH} characters)`];
  }
  return NAME_PATTERN.test(name) ? [] : [NAME_MESSAGE];
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
