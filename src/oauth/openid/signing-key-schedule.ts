/** Lifetime of an id_token (API doc, OpenID Connect claims). */
export const ID_TOKEN_SECONDS = 120;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Each key signs this long before the next one takes over. */
const SIGNS_MS = 90 * DAY_MS;
/** Clients can keep the published keys for this long, so a new one is published earlier. */
const PUBLISHED_BEFORE_MS = DAY_MS;
/** The last token that a key signed, and clocks that are slow. */
const PUBLISHED_AFTER_MS = ID_TOKEN_SECONDS * 1_000 + HOUR_MS;

/** Times that decide about the use of a key. */
interface ScheduledKey {
  activeFrom: Date;
}

/** `next` is published before it signs, `former` is published after it signed. */
export type KeyState = 'next' | 'signing' | 'former';

/**
 * The key that signs at `now`; `keys` in order of `activeFrom`. The first one signs even before
 * its time: another process whose clock is ahead may just have made it.
 */
export function signingKeyAt<K extends ScheduledKey>(keys: readonly K[], now: Date): K | undefined {
  return keys.findLast(({ activeFrom }) => activeFrom <= now) ?? keys[0];
}

/** When the key that has to be made now is to sign; null = none has to be made. */
export function dueKeyStart(keys: readonly ScheduledKey[], now: Date): Date | null {
  const newest = keys.at(-1);
  if (newest === undefined) return now;
  const ends = newest.activeFrom.getTime() + SIGNS_MS;
  if (now.getTime() < ends - PUBLISHED_BEFORE_MS) return null;
  return new Date(Math.max(ends, nextKeyStart(now).getTime()));
}

/** When a key that is published from `now` on can sign. */
export function nextKeyStart(now: Date): Date {
  return new Date(now.getTime() + PUBLISHED_BEFORE_MS);
}

/** The keys with which clients can still meet an id_token; `keys` in order of `activeFrom`. */
export function publishedAt<K extends ScheduledKey>(keys: readonly K[], now: Date): K[] {
  return keys.filter((_, position) => {
    const successor = keys[position + 1];
    if (successor === undefined) return true;
    return now.getTime() < successor.activeFrom.getTime() + PUBLISHED_AFTER_MS;
  });
}

/** Returns the state of a published key at `now`. */
export function keyStateAt<K extends ScheduledKey>(
  key: K,
  keys: readonly K[],
  now: Date,
): KeyState {
  if (key === signingKeyAt(keys, now)) return 'signing';
  return key.activeFrom > now ? 'next' : 'former';
}
