const CHARACTERS = 128;
/** Characters of a word that decide which pairs are looked at; more would be rarer, but in few words. */
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
 * Searches long texts for any of some words. The start of a word has so many pairs of characters
 * that it suffices to look at each third one, oftener only for words of less than three: mostly no
 * word has it. That takes a sixth of the time that a regular expression with as many words takes.
 */
export class WordSearch {
  /** By pair of characters: a bit for each place at which it stands in the start of a word. */
  private readonly places = new Uint8Array(CHARACTERS * CHARACTERS);
  /** Pairs in the start of a word. */
  private readonly pairs: number;
  private readonly word: RegExp;
  private readonly longest: number;

  constructor({ inAnyCase, exact }: SearchedWords) {
    const lengths = [...inAnyCase, ...exact].map(({ length }) => length);
    // A start is longer than the shortest word by an arbitrary character: longer steps, few hits.
    this.pairs = Math.min(LONGEST_START - 1, ...lengths);
    this.longest = Math.max(...lengths);
    for (const word of inAnyCase) this.add([...word].map(casesOf));
    for (const word of exact) this.add([...word].map(codesOf));
    const patterns = [...inAnyCase.map(inEitherCase), ...exact.map(literally)];
    this.word = new RegExp(patterns.join('|'), 'y');
  }

  /** Returns true if the UTF-8 text contains one of the words before its last character. */
  isIn(text: Buffer): boolean {
    const { places, pairs } = this;
    const four = 4 * pairs;
    const last = text.length - 1;
    let at = pairs - 1;
    // Four at once keep the processor busy: none of them has to wait for another.
    for (const end = last - four; at < end; at += four) {
      const second = at + pairs;
      const third = second + pairs;
      const fourth = third + pairs;
      const found =
        (places[pairAt(text, at)] as number) |
        (places[pairAt(text, second)] as number) |
        (places[pairAt(text, third)] as number) |
        (places[pairAt(text, fourth)] as number);
      if (found !== 0 && this.isInFour(text, at)) return true;
    }
    for (; at < last; at += pairs) if (this.isAround(text, at)) return true;
    return false;
  }

  private isInFour(text: Buffer, first: number): boolean {
    const { pairs } = this;
    for (let at = first; at <= first + 3 * pairs; at += pairs) {
      if (this.isAround(text, at)) return true;
    }
    return false;
  }

  /** Tests for a word whose start has the pair at this position. */
  private isAround(text: Buffer, at: number): boolean {
    const { places, pairs } = this;
    const here = places[pairAt(text, at)] as number;
    if (here === 0 || (pairs > 1 && !this.hasNeighbour(text, at, here))) return false;
    const complete = 1 << (pairs - 1);
    // Bit n says that the last n + 1 pairs begin a word.
    let begun = 0;
    for (let next = at - pairs + 1; next < at + pairs; next += 1) {
      begun = ((begun << 1) | 1) & (places[pairAt(text, next)] as number);
      if ((begun & complete) !== 0 && this.beginsAt(text, next - pairs + 1)) return true;
    }
    return false;
  }

  /** Tests whether the pair before or after stands at the place next to one of these. */
  private hasNeighbour(text: Buffer, at: number, here: number): boolean {
    const { places } = this;
    const before = (places[pairAt(text, at - 1)] as number) << 1;
    const after = (places[pairAt(text, at + 1)] as number) >> 1;
    return (here & (before | after)) !== 0;
  }

  private beginsAt(text: Buffer, at: number): boolean {
    this.word.lastIndex = 0;
    return this.word.test(text.toString('latin1', at, at + this.longest));
  }

  private add(word: readonly number[][]): void {
    const codesAt = (at: number): readonly number[] => word[at] ?? ALL_CODES;
    for (let place = 0; place < this.pairs; place += 1) {
      for (const one of codesAt(place)) {
        for (const next of codesAt(place + 1)) {
          const pair = one * CHARACTERS + next;
          this.places[pair] = (this.places[pair] as number) | (1 << place);
        }
      }
    }
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

/** Bytes beyond ASCII, which no word has, are taken for others: the words themselves decide. */
function pairAt(text: Buffer, at: number): number {
  return ((text[at] as number) & 127) * CHARACTERS + ((text[at + 1] as number) & 127);
}
