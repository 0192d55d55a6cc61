import { setTimeout as delay } from 'node:timers/promises';

/** Longer than the work takes, as a rule. */
const ANSWER_MS = 300;

/**
 * Returns the result of the work after a minimum duration, so that the time does not reveal if an
 * address is known.
 */
export async function withMinimumDuration<T>(work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, delay(ANSWER_MS)]);
  return result;
}
