import type { TagCount } from '../error-statistics.repository.js';

const MAX_KEYS = 100;
const MAX_VALUES = 100;

/**
 * Returns the new tag values that may be counted, given how many values of which keys their errors
 * have: an error has at most 100 keys with 100 values each.
 */
export function withinTagLimits<T extends Omit<TagCount, 'values'>>(
  tags: readonly T[],
  counts: readonly TagCount[],
): T[] {
  const errors = new Map<number, Map<string, number>>();
  const keysOf = (errorId: number): Map<string, number> => {
    const keys = errors.get(errorId) ?? new Map<string, number>();
    errors.set(errorId, keys);
    return keys;
  };
  for (const { errorId, key, values } of counts) keysOf(errorId).set(key, values);
  return tags.filter(({ errorId, key }) => {
    const keys = keysOf(errorId);
    const values = keys.get(key);
    const isWithin = values === undefined ? keys.size < MAX_KEYS : values < MAX_VALUES;
    if (isWithin) keys.set(key, (values ?? 0) + 1);
    return isWithin;
  });
}
