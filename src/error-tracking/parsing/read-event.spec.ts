import { randomBytes } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { readSent, SCRUBBING_SOURCE } from '../../../test/support/sent-events.js';
import type { StoredPayload } from '../ingest/grouped-events.js';
import type { JsonObject } from './json-values.js';
import { UnreadableEvent } from './read-event.js';

const RECEIVED: StoredPayload = { bytes: randomBytes(8), encoding: 'gzip', isEnvelope: true };
const RECEIVED_AT = new Date('2026-03-01T10:00:00Z');

function kept(event: JsonObject): unknown {
  const { payload } = readSent(event, { received: RECEIVED });
  return payload === RECEIVED
    ? 'as received'
    : (JSON.parse(inflateSync(payload.bytes).toString()) as unknown);
}

describe('an event that an SDK sent', () => {
  it('is read into what is stored of it', () => {
    const event = {
      event_id: '9EC79C33-EC99-42AB-8353-589FCB2E04DC',
      timestamp: '2026-03-01T09:59:58.500Z',
      platform: 'node',
      level: 'fatal',
      logger: 'jobs',
      environment: 'staging',
      release: 'shop@1.2.3',
      server_name: 'web-1',
      transaction: 'POST /cart',
      user: { id: 7, email: 'ann@example.com' },
      tags: [
        ['tenant', 17],
        ['level', 'mine'],
      ],
      contexts: { runtime: { name: 'node', version: 'v20.1.0' } },
      request: {
        url: 'https://shop.example/cart?page=1',
        headers: { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko Firefox/128.0' },
      },
      exception: {
        values: [
          { type: 'IOError', value: 'disk' },
          {
            type: 'CartError',
            value: 'cart 17\nis locked',
            mechanism: { type: 'onerror', handled: false },
            stacktrace: {
              frames: [
                { function: 'run', module: 'framework', in_app: false },
                { function: 'lock', module: 'cart', in_app: true },
              ],
            },
          },
        ],
      },
    };
    const { hashes, userHash, payload, tags, ...rest } = readSent(event, { received: RECEIVED });
    expect(rest).toEqual({
      eventId: '9ec79c33ec9942ab8353589fcb2e04dc',
      receivedAt: RECEIVED_AT,
      occurredAt: new Date('2026-03-01T09:59:58.500Z'),
      level: 'fatal',
      platform: 'node',
      logger: 'jobs',
      environment: 'staging',
      release: 'shop@1.2.3',
      type: 'CartError',
      value: 'cart 17\nis locked',
      culprit: 'POST /cart',
      title: 'CartError: cart 17',
      isUnhandled: true,
      userLabel: 'ann@example.com',
      clientAddress: null,
      searchText: 'carterror cart 17 is locked post /cart lock cart',
    });
    expect(Object.fromEntries(tags)).toEqual({
      level: 'fatal',
      environment: 'staging',
      release: 'shop@1.2.3',
      server_name: 'web-1',
      transaction: 'POST /cart',
      logger: 'jobs',
      mechanism: 'onerror',
      handled: 'no',
      user: 'id:7',
      url: 'https://shop.example/cart',
      browser: 'Firefox 128',
      'browser.name': 'Firefox',
      client_os: 'Windows',
      runtime: 'node v20.1.0',
      'runtime.name': 'node',
      tenant: '17',
    });
    expect([...hashes, userHash].map((hash) => hash?.length)).toEqual([16, 16, 16]);
    expect(payload).toBe(RECEIVED);
  });

  it('needs nothing', () => {
    const { hashes, payload, ...rest } = readSent({}, { headerEventId: 'f'.repeat(32) });
    expect(rest).toEqual({
      eventId: 'f'.repeat(32),
      receivedAt: RECEIVED_AT,
      occurredAt: RECEIVED_AT,
      level: 'error',
      platform: 'other',
      logger: null,
      environment: 'production',
      release: null,
      type: null,
      value: null,
      culprit: 'other',
      title: '<no message>',
      isUnhandled: false,
      userLabel: null,
      userHash: null,
      clientAddress: null,
      tags: new Map([
        ['level', 'error'],
        ['environment', 'production'],
      ]),
      searchText: 'other',
    });
    expect(hashes).toHaveLength(1);
    expect(inflateSync(payload.bytes).toString()).toBe('{}');
  });

  it.each([null, [], 'text', 7, true])('is not %j', (json) => {
    expect(() => readSent(json)).toThrow(UnreadableEvent);
  });

  it.each<[header: string | null, payload: unknown, expected: RegExp]>([
    ['A'.repeat(32), 'b'.repeat(32), /^a{32}$/],
    ['no id', 'b'.repeat(32), /^b{32}$/],
    [null, '0'.repeat(32), /^(?!0{32})[\da-f]{32}$/],
    [null, 7, /^[\da-f]{32}$/],
  ])('has the id of %j, %j or a new one', (headerEventId, event_id, expected) => {
    expect(readSent({ event_id }, { headerEventId }).eventId).toMatch(expected);
  });

  it('is named after its file where the function that failed has no name', () => {
    const frames = [{ function: '?', filename: 'main.mjs', lineno: 3, in_app: true }];
    const event = { exception: { values: [{ type: 'E', stacktrace: { frames } }] } };
    expect(readSent(event).culprit).toBe('main.mjs');
  });

  it('holds no text that cannot be stored, nor too long a one', () => {
    const long = `\u0000\ud800${'x'.repeat(5_000)}`;
    const { tags, ...event } = readSent({
      ...{ logger: long, environment: long, release: long, transaction: long, server_name: long },
      tags: { [long]: long },
      user: { id: long },
      exception: [{ type: long, value: long, stacktrace: { frames: [{ function: long }] } }],
    });
    const { type, value, culprit, title, userLabel, searchText, environment } = event;
    const texts = [type, value, culprit, title, userLabel, searchText, environment];
    expect(texts.map((text) => text?.length)).toEqual([128, 1_024, 200, 255, 255, 2_048, 200]);
    expect(event.release?.length).toBe(250);
    for (const text of [...texts, ...tags.keys(), ...tags.values()]) {
      expect(text).not.toMatch(/[\0\p{Cs}]/u);
    }
    expect(Math.max(...[...tags.keys()].map((key) => key.length))).toBe(32);
    expect(Math.max(...[...tags.values()].map((value) => value.length))).toBe(200);
  });

  it('has a hundred tags at most, and no more than one value of each', () => {
    const pairs = Array.from({ length: 300 }, (_, at) => [`tag${at % 150}`, at]);
    const { tags } = readSent({ tags: pairs });
    expect(tags.size).toBe(100);
    expect(tags.get('tag3')).toBe('3');
  });
});

describe('the affected user of an event', () => {
  const AUTO = { user: { ip_address: '{{auto}}' } };

  it.each<[string, JsonObject, string | null, string | undefined]>([
    ['id', { id: 7, username: 'ann', email: 'a@b.c' }, 'a@b.c', 'id:7'],
    ['username', { username: 'ann', email: 'a@b.c' }, 'a@b.c', 'username:ann'],
    ['email', { email: 'a@b.c', ip_address: '192.0.2.1' }, 'a@b.c', 'email:a@b.c'],
    ['address', { ip_address: '192.0.2.1' }, '192.0.2.1', 'ip:192.0.2.1'],
    ['address of the connection', AUTO.user, '192.0.2.7', 'ip:192.0.2.7'],
    ['nothing', { name: 'Ann' }, null, undefined],
  ])('is known by %s', (...[, user, label, tag]) => {
    const event = readSent({ user });
    expect([event.userLabel, event.tags.get('user')]).toEqual([label, tag]);
    expect(event.userHash === null).toBe(tag === undefined);
  });

  it('is the same person in a project, and another one in another project', () => {
    const hashIn = (projectId: number): string | undefined => {
      const source = { ...SCRUBBING_SOURCE, projectId };
      return readSent({ user: { id: 7 } }, { source }).userHash?.toString('hex');
    };
    expect(hashIn(1)).toBe(hashIn(1));
    expect(hashIn(1)).not.toBe(hashIn(2));
  });

  it('keeps an address only where the SDK asks for it and the project wants it', () => {
    const source = { ...SCRUBBING_SOURCE, scrubIpAddresses: true };
    const inferred = { sdk: { settings: { infer_ip: 'auto' } } };
    expect(readSent(AUTO).clientAddress).toBe('192.0.2.7');
    expect(readSent(inferred).clientAddress).toBe('192.0.2.7');
    expect(
      readSent({ ...AUTO, sdk: { settings: { infer_ip: 'never' } } }).clientAddress,
    ).toBeNull();
    expect(readSent({ user: { id: 7 } }).clientAddress).toBeNull();
    expect(readSent(AUTO, { source })).toMatchObject({ clientAddress: null, userHash: null });
  });
});

describe('the payload that is stored', () => {
  it('is what was received when there is nothing to remove', () => {
    expect(kept({ message: 'password authentication failed' })).toBe('as received');
  });

  it('is compressed again without the removed data', () => {
    expect(kept({ extra: { a: 1, token: 'x' } })).toEqual({ extra: { a: 1, token: '[Filtered]' } });
    expect(kept(JSON.parse('{"extra":{"p\\u0061ssword":"x"}}') as JsonObject)).toEqual({
      extra: { password: '[Filtered]' },
    });
  });

  it('is packed when it came as it is', () => {
    const received = { ...RECEIVED, encoding: 'identity' as const };
    const { payload } = readSent({ message: 'm' }, { received });
    expect(payload).toMatchObject({ encoding: 'deflate', isEnvelope: false });
    expect(inflateSync(payload.bytes).toString()).toBe('{"message":"m"}');
  });

  it('holds secrets only where the project wants them to be kept', () => {
    const source = { ...SCRUBBING_SOURCE, scrubData: false };
    const event = { extra: { token: 'x' } };
    expect(readSent(event, { source, received: RECEIVED }).payload).toBe(RECEIVED);
  });
});
