import { setTimeout as delay } from 'node:timers/promises';

/** Longer than the work takes, as a rule. */
const ANSWER_MS = 300;

/**
 * Does the work, and answers no sooner than usual: how long it takes to answer shall not tell
 * whether an address is known here.
 */
export async function withMinimumDuration<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, delay(ANSWER_MS)]);
  return result;
}
