const withRepetition = new WeakSet<object>();

/** Remembers of these parameters that a name came twice when they were read. */
export function markDuplicateKeys(params: object): void {
  withRepetition.add(params);
}

/**
 * Returns true if a plain name occurred twice: the last value wins, which some protocols forbid.
 */
export function hasDuplicateKeys(params: object): boolean {
  return withRepetition.has(params);
}
