import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { frame, hashesOf, thrown } from '../../../../test/support/sent-events.js';
import type { JsonObject } from '../json-values.js';

const OWN = frame('total', 'shop.cart');
const LIBRARY = frame('call', 'framework.core', { in_app: false });

function caused(by: string | null, type = 'Error'): JsonObject {
  const cause = by === null ? [] : [{ type: by, value: 'cause' }];
  const main = { type, value: 'failed', stacktrace: { frames: [OWN] } };
  return { platform: 'node', exception: { values: [...cause, main] } };
}

function message(text: unknown, more: JsonObject = {}): JsonObject {
  return { platform: 'python', message: text, ...more };
}

describe('the hashes of an exception', () => {
  it('are of 16 bytes and the same for ever', () => {
    expect(hashesOf(caused(null))).toEqual(['8420f8f43b3dfc620c0f5ee89504ddab']);
  });

  it('are two where the program has frames of its own and others', () => {
    const mixed = hashesOf(thrown('python', ['KeyError', 'a'], [LIBRARY, OWN]));
    const own = hashesOf(thrown('python', ['KeyError', 'a'], [OWN]));
    expect(mixed).toHaveLength(2);
    expect(mixed[0]).toBe(own[0]);
  });

  it('share one when the SDK learns which frames are the own ones', () => {
    const unknown = [LIBRARY, OWN].map((one) => ({ ...one, in_app: null }));
    const before = hashesOf(thrown('python', ['KeyError', 'a'], unknown));
    const after = hashesOf(thrown('python', ['KeyError', 'a'], [LIBRARY, OWN]));
    expect(after).toContain(before[0]);
  });

  it('differ by type, by the types of causes and by calls', () => {
    const events = [
      caused(null),
      caused('IOError'),
      caused('KeyError'),
      caused(null, 'TypeError'),
      thrown('node', ['Error', 'failed'], [frame('sum', 'shop.cart')]),
      thrown('node', ['Error', 'failed'], [frame('total', 'shop.order')]),
      thrown('node', ['Error', 'failed'], []),
    ];
    expect(new Set(events.map((event) => hashesOf(event)[0])).size).toBe(events.length);
  });

  it('ignore a type that the SDK made up', () => {
    const synthetic = ['Error', 'Event'].map((type) => {
      const values = [{ type, mechanism: { synthetic: true }, stacktrace: { frames: [OWN] } }];
      return hashesOf({ platform: 'javascript', exception: { values } });
    });
    expect(synthetic[0]).toEqual(synthetic[1]);
  });

  it('count the same cause once, however often it was wrapped', () => {
    const wrapped = (times: number): JsonObject => ({
      exception: { values: [...Array<object>(times).fill({ type: 'IOError' }), { type: 'Error' }] },
    });
    expect(hashesOf(wrapped(3))).toEqual(hashesOf(wrapped(1)));
  });

  it('are by own frames only where the SDK names some', () => {
    const silent = { ...LIBRARY, in_app: null };
    const mixed = hashesOf(thrown('python', ['KeyError', 'a'], [silent, OWN]));
    expect(mixed[0]).toBe(hashesOf(thrown('python', ['KeyError', 'a'], [OWN]))[0]);
  });

  it('have the line of source of a call without a name, unless the file is minified', () => {
    const at = (line: string): string[] =>
      hashesOf(thrown('node', ['Error', 'a'], [frame(null, 'app.js', { context_line: line })]));
    expect(at('pay(cart)')).not.toEqual(at('send(cart)'));
    expect(at(`pay(${'a'.repeat(120)})`)).toEqual(at(`send(${'a'.repeat(120)})`));
  });

  it('have nothing but functions of machine code', () => {
    const at = (place: string): string[] =>
      hashesOf(thrown('native', ['SIGSEGV', 'a'], [frame('Cart::total', place)]));
    expect(at('src/cart.cpp')).toEqual(at('inlined/vector.h'));
  });

  it('come from the thread that crashed when the exception has no calls', () => {
    const crash = (name: string): JsonObject => ({
      platform: 'java',
      exception: { values: [{ type: 'ANR', value: 'not responding' }] },
      threads: {
        values: [
          { id: 1, stacktrace: { frames: [OWN] } },
          { id: 2, crashed: true, stacktrace: { frames: [frame(name, 'shop.main')] } },
        ],
      },
    });
    expect(hashesOf(crash('draw'))).not.toEqual(hashesOf(crash('load')));
  });

  it('are independent of IDs, lines and paths', () => {
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), fc.stringMatching(/^[\da-f]{7}$/), (line, id, build) => {
        const event = (at: number, key: string, hash: string): JsonObject =>
          thrown(
            'javascript',
            ['Error', `no item ${key}`],
            [frame('load', `webpack:///${hash}/src/main.${hash}1.js`, { lineno: at, colno: at })],
          );
        expect(hashesOf(event(line, id, build))).toEqual(hashesOf(event(1, 'x', 'abc123')));
      }),
    );
  });
});

describe('the hashes of a message', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['numbers', message('Item 17 is gone'), message('Item 18 is gone')],
    [
      'ids',
      message('No order 9ec79c33-ec99-42ab-8353-589fcb2e04dc'),
      message('No order abcdefab-cdef-abcd-efab-cdefabcdefab'),
    ],
    ['mail addresses', message('No mail for a@b.example'), message('No mail for c.d@e.example')],
    ['addresses', message('from 192.0.2.1:80'), message('from 2001:db8::7')],
    ['times', message('at 2026-03-01T10:00:00Z'), message('at 2026-03-02 11:00:01.5')],
    ['amounts', message('took 12ms'), message('took 1.5s')],
    ['further lines', message('Broken\nby 1'), message('Broken\nby two')],
    ['levels', message('Broken', { level: 'info' }), message('Broken', { level: 'fatal' })],
    [
      'values of a template',
      { logentry: { message: 'Hello %s', formatted: 'Hello Ann', params: ['Ann'] } },
      { logentry: { message: 'Hello %s', formatted: 'Hello Bob', params: ['Bob'] } },
    ],
    [
      'values of an unformatted template',
      { logentry: { message: 'Hello %s', params: ['Ann'] } },
      { logentry: { message: 'Hello %s', params: ['Bob'] } },
    ],
  ])('ignore %s', (_, one, other) => {
    expect(hashesOf(one)).toEqual(hashesOf(other));
  });

  it('differ by words and by logger', () => {
    const events = [
      message('Disk full'),
      message('Disk empty'),
      message('Disk full', { logger: 'db' }),
      message(null),
      { platform: 'go' },
    ];
    expect(new Set(events.map((event) => hashesOf(event)[0])).size).toBe(events.length);
  });
});

describe('the fingerprint that a program sends', () => {
  it('decides alone', () => {
    const one = { ...caused(null), fingerprint: ['checkout', 17] };
    const other = { ...message('else'), fingerprint: ['checkout', '17'] };
    expect(hashesOf(one)).toEqual(hashesOf(other));
    expect(hashesOf(one)).not.toEqual(hashesOf({ ...one, fingerprint: ['checkout17'] }));
  });

  it.each([[['{{ default }}']], [['{{default}}']], [[]], [null], ['{{ default }}'], [[null, {}]]])(
    '%j says nothing',
    (fingerprint) => {
      expect(hashesOf({ ...caused(null), fingerprint })).toEqual(hashesOf(caused(null)));
    },
  );

  it('may add to what the event is grouped by', () => {
    const tenant = (name: string): JsonObject => ({ fingerprint: ['{{ default }}', name] });
    const one = hashesOf({ ...caused(null), ...tenant('a') });
    expect(one).not.toEqual(hashesOf({ ...caused(null), ...tenant('b') }));
    expect(one).not.toEqual(hashesOf({ ...caused(null, 'TypeError'), ...tenant('a') }));
    const mixed = thrown('python', ['KeyError', 'a'], [LIBRARY, OWN]);
    expect(hashesOf({ ...mixed, ...tenant('a') })).toHaveLength(2);
  });
});
