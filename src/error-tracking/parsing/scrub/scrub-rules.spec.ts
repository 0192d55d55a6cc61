import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SCRUBBING_SOURCE } from '../../../../test/support/sent-events.js';
import { containsCardNumber } from './card-numbers.js';
import { scrubRulesOf, USER_INFO } from './scrub-rules.js';

function mayChange(text: string): boolean {
  const rules = scrubRulesOf(SCRUBBING_SOURCE);
  if (rules === null) throw new Error('nothing is scrubbed');
  return rules.mayChange(Buffer.from(JSON.stringify({ message: text })));
}

describe('the text of an event', () => {
  it.each([
    ['a name in a URL', 'redis://x@h'],
    ['a name behind another one', 'a@b redis://x:y@h'],
    ['a name with an @', 'redis://@x@h'],
    ['a name that is not ASCII', 'https://ünï:日本@h'],
    ['a card number', `${'1, 2; '.repeat(50)}4111 1111 1111 1111`],
    ['a card number in groups of words', 'card 4111-1111-1111-1111.'],
    ['the shortest card number', '4222222222222'],
  ])('may be secret because of %s', (_, text) => {
    expect(mayChange(text)).toBe(true);
  });

  it.each([
    ['addresses of mail', 'ann@example.com, mailto:ann@example.com'],
    ['names of packages', '/app/node_modules/@nestjs/core://a/b@2'],
    ['short numbers', '1790000000.142857 42222222222 1-2-3-4-5'],
    ['a number of no card', '4111 1111 1111 1112'],
    ['other words', 'the path to a key of the api'],
  ])('is not secret because of %s', (_, text) => {
    expect(mayChange(text)).toBe(false);
  });

  it('may be secret wherever a name in a URL or a card number is', () => {
    const part = fc.constantFrom(
      ...['://', ':\\/\\/', '/', ':', '@', 'ann', 'é', '日', ' ', '\u00a0', '\u2028', '"', '\\'],
      ...['4111 1111 1111 1111', '4222222222222', '4', '12', '-', '1111', 'x', '.'],
    );
    const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const json = JSON.stringify(text);
        fc.pre(USER_INFO.test(json) || containsCardNumber(json));
        expect(mayChange(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
