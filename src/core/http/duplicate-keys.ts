const withRepetition = new WeakSet<object>();

/** Remembers of these parameters that a name came twice when they were read. */
export function markDuplicateKeys(params: object): void {
  withRepetition.add(params);
}

/** Whether a plain name came twice: the last one won, which some protocols forbid. */
export function hasDuplicateKeys(params: object): boolean {
  return withRepetition.has(params);
}
