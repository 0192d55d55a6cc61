import { toList } from '../../../core/params/coerce.js';

/** Marks text that is no JSON; no rule accepts it. */
const UNREADABLE = Symbol('unreadable JSON');

/**
 * A hash or list as it was sent, or as a form can spell it: as JSON text. null for none: the empty
 * text too, by which a form clears.
 */
export function structureOf(value: unknown): unknown {
  if (value === '' || value === undefined || value === null) return null;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return UNREADABLE;
  }
}

/** The items of a list, of a hash with the keys 0, 1, … or of JSON text; null when it is none. */
export function listOf(value: unknown): unknown[] | null {
  const structure = structureOf(value);
  if (structure === null) return [];
  if (typeof structure !== 'object') return null;
  const list = toList(structure, false);
  return Array.isArray(list) ? list : null;
}

/** Returns true for a hash without other keys than these. */
export function isHashOf(
  value: unknown,
  keys: readonly string[],
): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.keys(value).every((key) => keys.includes(key));
}
