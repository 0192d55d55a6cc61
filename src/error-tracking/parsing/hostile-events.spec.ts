import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cpuTimeOf } from '../../../test/support/effort.js';
import { readSent } from '../../../test/support/sent-events.js';
import type { JsonObject } from './json-values.js';

const SAMPLE = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `frame ${id}` }));
/**
 * In runs of a fixed piece of work on the same machine. The slowest takes 3 to 9 of them; work that
 * grows faster than its input would take hundreds.
 */
const MOST = 25;

describe('anything that may be sent', () => {
  const names = fc.constantFrom(
    ...['exception', 'values', 'stacktrace', 'frames', 'threads', 'logentry', 'message', 'tags'],
    ...['user', 'request', 'headers', 'contexts', 'breadcrumbs', 'mechanism', 'fingerprint'],
    ...['type', 'value', 'function', 'timestamp', 'sdk', '__proto__', 'toString', 'password'],
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 7, withCrossShrink: true },
      fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(names, tie('tree'), { maxKeys: 6, noNullPrototype: false }),
    ),
  }));

  it('is read or refused, and never fails otherwise', () => {
    fc.assert(
      fc.property(fc.dictionary(names, tree), (event) => {
        const { culprit, title, hashes } = readSent(JSON.parse(JSON.stringify(event)));
        expect([culprit, title].every((text) => text !== '')).toBe(true);
        expect(hashes.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  const MIB = 1_048_576;
  const deep = (open: string, close: string, levels: number): string =>
    open.repeat(levels) + '1' + close.repeat(levels);
  const text = (part: string): string => part.repeat(Math.floor((MIB - 100) / part.length));

  it.each<[string, string]>([
    ['nested lists', `{"extra":{"token":${deep('[', ']', MIB / 2 - 50)}}}`],
    ['nested lists beside a secret', `{"token":1,"extra":${deep('[', ']', MIB / 2 - 50)}}`],
    ['nested objects', `{"token":1,"sdk":${deep('{"a":', '}', 150_000)}}`],
    ['a nested value', `{"exception":{"type":"E","value":${deep('[', ']', 200_000)}}}`],
    ['very many frames', `{"exception":[{"stacktrace":{"frames":[${text('{},')}{}]}}]}`],
    ['very many tags', `{"tags":[${text('["a",1],')}["b",2]]}`],
    [
      'a long function',
      `{"exception":[{"stacktrace":{"frames":[{"function":"${text('<a(.')}"}]}}]}`,
    ],
    ['a long file', `{"exception":[{"stacktrace":{"frames":[{"filename":"${text('-1/a.')}"}]}}]}`],
    ['a long message of digits', `{"message":"${text('4')}"}`],
    ['groups of digits', `{"message":"${text('4111 ')}"}`],
    ['a long message of words', `{"message":"${text('token')}"}`],
    ['names without values', `{"message":"${text('token = ')}"}`],
    ['open quotes', `{"message":"${text("token='")}"}`],
    ['a long URL', `{"message":"${text('://a')}","request":{"url":"${text('a').slice(0, 9)}"}}`],
    ['a long line of hex', `{"exception":{"type":"E","value":"${text('a1.')}"}}`],
    ['a long query', `{"request":{"query_string":"${text('token=1&')}"}}`],
    ['a long cookie', `{"request":{"headers":{"Cookie":"${text('sid=1; ')}"}}}`],
  ])('takes no time even when it is %s of 1 MiB', (_, json) => {
    const event = JSON.parse(json) as JsonObject;
    const run = (): unknown => readSent(event, { json: Buffer.from(json) });
    const floor = cpuTimeOf(() => JSON.parse(JSON.stringify(SAMPLE)));
    expect(cpuTimeOf(run) / floor).toBeLessThan(MOST);
  });
});
