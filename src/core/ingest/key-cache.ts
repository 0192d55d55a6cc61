import {
  PgNotifyCache,
  type PgNotifyListener,
} from '../announcements/pg-notify-listener.service.js';

const MAX_KEYS = 5_000;
const TTL_MS = 5_000;

/** Paths of projects have no other characters. */
const PROJECT_PATH = /^[a-zA-Z0-9_.-]+(?:\/[a-zA-Z0-9_.-]+)+$/;
const MAX_SEGMENTS = 25;

/**
 * Returns a cache of what the keys of programs open, which triggers invalidate on the channel. Only
 * keys that open something are cached: anyone can make up others.
 */
export function keyCache<V extends object>(
  listener: PgNotifyListener,
  channel: string,
  isOpen: (value: V) => boolean,
): PgNotifyCache<V> {
  return new PgNotifyCache(listener, { channel, max: MAX_KEYS, ttl: TTL_MS, isCacheable: isOpen });
}

/** Returns false for a text that is not worth looking up as the full path of a project. */
export function canBeProjectPath(text: string): boolean {
  return PROJECT_PATH.test(text) && text.split('/').length <= MAX_SEGMENTS;
}
