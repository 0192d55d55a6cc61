import { describe, expect, it, jest } from '@jest/globals';
import {
  PgNotifyCache,
  type PgNotifyListener,
  type PgNotifySubscriber,
} from './pg-notify-listener.service.js';

interface Value {
  name: string;
  isGood?: boolean;
}

function makeCache(onMessage?: (payload: string) => void): {
  cache: PgNotifyCache<Value>;
  channel: PgNotifySubscriber;
} {
  let channel: PgNotifySubscriber | undefined;
  const subscribe = (_name: string, subscriber: PgNotifySubscriber): void => {
    channel = subscriber;
  };
  const cache = new PgNotifyCache<Value>({ subscribe } as PgNotifyListener, {
    channel: 'values',
    max: 2,
    ttl: 60_000,
    isCacheable: ({ isGood }) => isGood !== false,
    onMessage,
  });
  return { cache, channel: channel as unknown as PgNotifySubscriber };
}

/** Read that completes on command. */
function slowReading(value: Value | null): { read: () => Promise<Value | null>; end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { read: () => ended.then(() => value), end };
}

const unread = (): never => {
  throw new Error('the value is not cached');
};

describe('PgNotifyCache', () => {
  it('reads a value once while announcements arrive', async () => {
    const { cache, channel } = makeCache();
    const read = jest.fn(() => Promise.resolve({ name: 'ada' }));
    await cache.get('a', read);
    channel.onConnect();
    await Promise.all([cache.get('a', read), cache.get('a', read)]);
    await expect(cache.get('a', unread)).resolves.toEqual({ name: 'ada' });
    expect(read).toHaveBeenCalledTimes(2);
    channel.onDisconnect();
    await Promise.all([cache.get('a', read), cache.get('a', read)]);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it('caches nothing that is not there, not cacheable or cannot be read', async () => {
    const { cache, channel } = makeCache();
    channel.onConnect();
    await cache.get('a', () => Promise.resolve(null));
    await cache.get('a', () => Promise.resolve({ name: 'ada', isGood: false }));
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(cache.has('a')).toBe(false);
    await cache.get('a', () => Promise.resolve({ name: 'ada' }));
    expect(cache.has('a')).toBe(true);
  });

  it.each([
    ['an announcement', (channel: PgNotifySubscriber) => channel.onMessage('')],
    ['a disconnect', (channel: PgNotifySubscriber) => channel.onDisconnect()],
    ['a connect', (channel: PgNotifySubscriber) => channel.onConnect()],
  ])('caches nothing that was read before %s', async (_, happen) => {
    const { cache, channel } = makeCache();
    channel.onConnect();
    const { read, end } = slowReading({ name: 'old' });
    const old = cache.get('a', read);
    happen(channel);
    const later = slowReading({ name: 'new' });
    const next = cache.get('a', later.read);
    end();
    await expect(old).resolves.toEqual({ name: 'old' });
    expect(cache.has('a')).toBe(false);
    later.end();
    await expect(next).resolves.toEqual({ name: 'new' });
  });

  it('invalidates one key, and leaves the readings of others alone', async () => {
    const { cache, channel } = makeCache((key) => cache.delete(key));
    channel.onConnect();
    const [one, other] = [slowReading({ name: 'one' }), slowReading({ name: 'other' })];
    const readings = [cache.get('one', one.read), cache.get('other', other.read)];
    channel.onMessage('one');
    [one, other].forEach(({ end }) => end());
    await Promise.all(readings);
    expect([cache.has('one'), cache.has('other')]).toEqual([false, true]);
  });

  it('invalidates values that match, and all readings', async () => {
    const { cache, channel } = makeCache((name) =>
      cache.deleteWhere((value) => value.name === name),
    );
    channel.onConnect();
    await cache.get('a', () => Promise.resolve({ name: 'ada' }));
    await cache.get('b', () => Promise.resolve({ name: 'bob' }));
    const { read, end } = slowReading({ name: 'ada' });
    const reading = cache.get('c', read);
    channel.onMessage('ada');
    end();
    await reading;
    expect(['a', 'b', 'c'].map((key) => cache.has(key))).toEqual([false, true, false]);
  });
});
