/** Characters above 126 count as this one: no word has any. */
const OTHER = 127;
const CHARACTERS = 128;
/** Characters of a word that decide where the search continues; longer skips are rare. */
const LONGEST_START = 4;

/** Words to be found; all of them ASCII. */
export interface SearchedWords {
  inAnyCase: readonly string[];
  exact: readonly string[];
}

/** Returns the text as a regular expression that matches it. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * Searches long texts for any of some words. Pairs of characters decide how far it can skip (Wu and
 * Manber, 1994), which takes a third of the time that a regular expression with as many words takes.
 */
export class WordSearch {
  /** Characters to skip after a pair of characters. */
  private readonly skips: Uint8Array;
  /** Of pairs that end the start of a word: the characters with which such words begin, by `bitOf`. */
  private readonly firsts = new Uint8Array(CHARACTERS * CHARACTERS);
  private readonly start: number;
  private readonly word: RegExp;

  constructor({ inAnyCase, exact }: SearchedWords) {
    const shortest = Math.min(...[...inAnyCase, ...exact].map(({ length }) => length));
    // A start is longer than the shortest word by an arbitrary character: longer skips, few hits.
    this.start = Math.min(LONGEST_START, shortest + 1);
    this.skips = new Uint8Array(CHARACTERS * CHARACTERS).fill(this.start - 1);
    for (const word of inAnyCase) this.add([...word].map(casesOf));
    for (const word of exact) this.add([...word].map(codesOf));
    const patterns = [...inAnyCase.map(inEitherCase), ...exact.map(literally)];
    this.word = new RegExp(patterns.join('|'), 'y');
  }

  /** Returns true if the text contains one of the words before its last character. */
  isIn(text: string): boolean {
    const { skips, firsts, start } = this;
    let at = start - 2;
    while (at < text.length - 1) {
      const pair = pairOf(text.charCodeAt(at), text.charCodeAt(at + 1));
      const skip = skips[pair] as number;
      if (skip === 0) {
        const begin = at - start + 2;
        const mayBegin = (firsts[pair] as number) & bitOf(text.charCodeAt(begin));
        if (mayBegin !== 0 && this.beginsAt(text, begin)) return true;
      }
      at += skip === 0 ? 1 : skip;
    }
    return false;
  }

  private beginsAt(text: string, at: number): boolean {
    this.word.lastIndex = at;
    return this.word.test(text);
  }

  private add(word: readonly number[][]): void {
    const codesAt = (at: number): readonly number[] => word[at] ?? ALL_CODES;
    for (let at = 0; at < this.start - 1; at += 1) {
      const skip = this.start - 2 - at;
      for (const one of codesAt(at)) {
        for (const next of codesAt(at + 1)) this.addPair(pairOf(one, next), skip, codesAt(0));
      }
    }
  }

  private addPair(pair: number, skip: number, begins: readonly number[]): void {
    this.skips[pair] = Math.min(this.skips[pair] as number, skip);
    if (skip > 0) return;
    for (const code of begins) this.firsts[pair] = (this.firsts[pair] as number) | bitOf(code);
  }
}

const ALL_CODES = Array.from({ length: CHARACTERS }, (_, code) => code);

function codesOf(character: string): number[] {
  return [character.charCodeAt(0)];
}

function casesOf(character: string): number[] {
  return [...new Set([character.toLowerCase(), character.toUpperCase()])].flatMap(codesOf);
}

function inEitherCase(word: string): string {
  return literally(word).replace(
    /[a-z]/gi,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
}

function pairOf(one: number, next: number): number {
  return (one > OTHER ? OTHER : one) * CHARACTERS + (next > OTHER ? OTHER : next);
}

function bitOf(code: number): number {
  return 1 << (code & 7);
}
