import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { literally, WordSearch } from './word-search.js';

const WORDS = {
  inAnyCase: ['password', 'auth', 'api key', '\\u006'],
  exact: ['eyJ', 'AKIA', 'k_'],
};

/** Beginnings, ends and other cases of the words, and characters that no word has. */
const PARTS = [
  ...[...WORDS.inAnyCase, ...WORDS.exact].flatMap((word) => [
    word,
    word.toUpperCase(),
    word.slice(0, -1),
    word.slice(1),
  ]),
  ...['p', 'AU', 'e', ' ', '"', '\n', '\u007f', 'é', '日', '😀'],
];

function matches(text: string, own: readonly string[] = []): boolean {
  const inAnyCase = new RegExp([...WORDS.inAnyCase, ...own].map(literally).join('|'), 'i');
  const exact = new RegExp(WORDS.exact.map(literally).join('|'));
  return inAnyCase.test(text) || exact.test(text);
}

describe('a search for words', () => {
  it.each([[[]], [['id']], [['a']], [['x.y', 'authority']]])(
    'finds what a regular expression finds, with %j',
    (own) => {
      const search = new WordSearch({ ...WORDS, inAnyCase: [...WORDS.inAnyCase, ...own] });
      const part = fc.oneof(fc.constantFrom(...PARTS, ...own), fc.string({ maxLength: 3 }));
      const text = fc.array(part, { maxLength: 8 }).map((parts) => `${parts.join('')}"`);
      fc.assert(
        fc.property(text, (one) => expect(search.isIn(Buffer.from(one))).toBe(matches(one, own))),
        { numRuns: 2_000 },
      );
    },
  );
});
