import { describe, expect, it } from '@jest/globals';
import { UnsubscribeKeys, type MailThread } from './unsubscribe-keys.js';

const keys = new UnsubscribeKeys({ secretKey: 'a key that is long enough for tests' });
const others = new UnsubscribeKeys({ secretKey: 'another key that is long enough' });

const THREADS: MailThread[] = [
  { kind: 'issue', id: 1 },
  { kind: 'merge_request', id: 2 },
  { kind: 'snippet', id: 3 },
  { kind: 'commit', projectId: 4, sha: 'a'.repeat(40) },
  { kind: 'project', id: 5 },
  { kind: 'alerts', projectIds: [6] },
  { kind: 'alerts', projectIds: [7, 8] },
];

describe('UnsubscribeKeys', () => {
  it('reads back what a key was made for', () => {
    const read = THREADS.map((thread) => keys.read(keys.keyOf(thread, 42)));
    expect(read).toEqual(THREADS.map((thread) => ({ thread, userId: 42 })));
  });

  it('makes the same key each time, without characters that URLs escape', () => {
    for (const thread of THREADS) {
      const key = keys.keyOf(thread, 42);
      expect(key).toBe(keys.keyOf(thread, 42));
      expect(encodeURIComponent(key)).toBe(key);
    }
  });

  it('reads no key of another instance, user or thread', () => {
    const key = keys.keyOf({ kind: 'issue', id: 1 }, 42);
    expect(others.read(key)).toBeNull();
    expect(keys.read(key.replace('-42-', '-43-'))).toBeNull();
    expect(keys.read(key.replace('i1', 'i2'))).toBeNull();
    expect(keys.read(key.replace('i1', 'm1'))).toBeNull();
    expect(keys.read(`${key}x`)).toBeNull();
    expect(keys.read(key.slice(0, -1))).toBeNull();
    expect(keys.read('')).toBeNull();
  });

  it('accepts one spelling of a signature only', () => {
    const key = keys.keyOf({ kind: 'issue', id: 1 }, 42);
    const last = key.at(-1) ?? '';
    const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
    const readable = spellings.filter((one) => keys.read(key.slice(0, -1) + one) !== null);
    expect(readable).toEqual([last]);
  });

  it('answers mails of each thread and user with a name of their own', () => {
    const names = THREADS.flatMap((thread) => [1, 2].map((user) => keys.replyKeyOf(thread, user)));
    expect(new Set(names).size).toBe(2 * THREADS.length);
    expect(names.every((name) => /^[0-9a-f]{32}$/.test(name))).toBe(true);
  });
});
