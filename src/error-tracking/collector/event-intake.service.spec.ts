import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseEventJson } from './event-intake.service.js';

const MIB = 1_048_576;

/** Pattern that fills 1 MiB → the text. */
const BOMBS: [string, string][] = [
  ['lists in lists', '['.repeat(MIB / 2) + ']'.repeat(MIB / 2)],
  ['objects in objects', '{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)],
  ['members', `{${Array.from({ length: 100_000 }, (_, at) => `"x${at}":1`).join()}}`],
  ['elements', `[${'0,'.repeat(MIB / 2)}0]`],
  ['objects that never end', '{"a":'.repeat(200_000)],
];

describe('the JSON of an event', () => {
  it.each(BOMBS)('is refused when it is full of %s', (_, text) => {
    expect(() => parseEventJson(text)).toThrow('invalid JSON data');
  });

  it.each(['{not json', '', '"********', '{"a":1}}', 'NaN'])('is refused when it is %p', (text) => {
    expect(() => parseEventJson(text)).toThrow('invalid JSON data');
  });

  it('may be of 1 MiB with brackets, quotes and backslashes in its texts', () => {
    const texts = Array.from({ length: 20_000 }, (_, at) => `[[{{"\\"\\\\${at}\\`);
    expect(parseEventJson(JSON.stringify({ texts }))).toEqual({ texts });
  });

  it('is what every parser makes of it, however long it is', () => {
    const value = fc.jsonValue({ maxDepth: 5 });
    fc.assert(
      fc.property(value, (inner) => {
        const text = JSON.stringify({ inner, filler: 'x'.repeat(150_000) });
        expect(parseEventJson(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 50 },
    );
  });
});
