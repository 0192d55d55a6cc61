import { setTimeout as delay } from 'node:timers/promises';

interface Patience {
  seconds?: number;
  everyMs?: number;
}

/**
 * Repeats `probe` until it returns without throwing and not `false`, then gives its result.
 * When the time is over it rethrows the last complaint. Waits for a state, never for a time.
 */
export async function eventually<T>(
  probe: () => Promise<T> | T,
  { seconds = 10, everyMs = 25 }: Patience = {},
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const complaint = await attempt(probe);
    if (!('error' in complaint)) return complaint.value;
    if (Date.now() >= deadline) throw complaint.error;
    await delay(everyMs);
  }
}

async function attempt<T>(probe: () => Promise<T> | T): Promise<{ value: T } | { error: unknown }> {
  try {
    const value = await probe();
    return value === false ? { error: new Error('the state was not reached') } : { value };
  } catch (error) {
    return { error };
  }
}
