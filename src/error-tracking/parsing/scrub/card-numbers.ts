/** Replacement for removed values. */
export const FILTERED = '[Filtered]';

/** Most texts have no place with as many digits; in groups, they have blanks or hyphens between. */
const DIGITS = /\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d[ -]?\d/;

/** Lengths of card numbers by their first digit (ISO/IEC 7812). */
const LENGTHS: readonly (readonly number[])[] = [
  [],
  [],
  [16],
  [14, 15, 16],
  [13, 16, 19],
  [16],
  [16, 17, 18, 19],
];
const ZERO = 48;
const BLANK = 32;
const HYPHEN = 45;
const POINT = 46;

/** Twice a digit, its two digits added: the check of ISO/IEC 7812-1, annex B. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

/** The text without numbers of payment cards. */
export function withoutCards(text: string): string {
  if (!DIGITS.test(text)) return text;
  let kept = '';
  let from = 0;
  for (const [start, end] of cardsIn(text)) {
    kept += text.slice(from, start) + FILTERED;
    from = end;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** Returns true if the text contains a card number. */
export function containsCardNumber(text: string): boolean {
  return DIGITS.test(text) && !cardsIn(text).next().done;
}

/** Digits that `DIGITS` looks for. */
const FEWEST_DIGITS = 12;

/**
 * Returns true if the UTF-8 text has a row of digits, blanks and hyphens with enough digits for
 * `DIGITS`. Of two neighbours in what that finds one is a digit, so that most others are passed over.
 */
export function mayContainCardNumber(text: Buffer): boolean {
  for (let at = FEWEST_DIGITS - 1; at < text.length; at += FEWEST_DIGITS - 1) {
    if (!isDigitCode(text[at] as number) && !isDigitCode(text[at - 1] as number)) continue;
    let digits = 0;
    for (let row = at - 1; row >= 0 && isOfRow(text[row] as number); row -= 1) {
      if (isDigitCode(text[row] as number)) digits += 1;
    }
    for (; at < text.length && isOfRow(text[at] as number); at += 1) {
      if (isDigitCode(text[at] as number)) digits += 1;
    }
    if (digits >= FEWEST_DIGITS) return true;
  }
  return false;
}

function isOfRow(code: number): boolean {
  return isDigitCode(code) || code === BLANK || code === HYPHEN;
}

function isDigitCode(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

const LONGEST_ID = 64;
/** IDs whose digits can match a card number: UUIDs, and trace and span IDs joined into one text. */
const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|(?:[\da-f]{2}-)?[\da-f]{32}-[\da-f]{16}/giy;

/** Where card numbers begin and end. */
function* cardsIn(text: string): Generator<[start: number, end: number]> {
  for (let at = 0; at < text.length; at++) {
    if (!isDigit(text, at)) continue;
    const mayBegin = isGroup(text, at) && !isFraction(text, at) && !isWord(text, at - 1);
    const end = mayBegin ? cardEnd(text, at) : null;
    if (end !== null && !isPartOfId(text, at, end)) yield [at, end];
    // A group before can be something else: `3 4111 1111 1111 1111` has a card in it.
    at = end ?? endOfDigits(text, at);
  }
}

/** Tests whether the digits are part of a word or a hyphenated ID. */
function isPartOfId(text: string, start: number, end: number): boolean {
  if (isWord(text, end)) return true;
  const from = idStart(text, start);
  ID.lastIndex = from;
  if (ID.test(text) && ID.lastIndex >= end) return true;
  const before = text.slice(from, start);
  const [after = ''] = /^(?:-\w+)+/.exec(text.slice(end, end + LONGEST_ID)) ?? [];
  return `${before}${after}`.split('-').some(isMixed);
}

/** Tests whether the word mixes letters and digits, as parts of an ID do. */
function isMixed(word: string): boolean {
  return /\d/.test(word) && /[a-z]/i.test(word);
}

/** Returns the start of the hyphenated words before this position. */
function idStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LONGEST_ID) {
    const isJoined = isWord(text, start - 1) || text.charCodeAt(start - 1) === HYPHEN;
    if (!isJoined) break;
    start -= 1;
  }
  return start;
}

function isWord(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at));
}

/** No card has a shorter first group; lists of small numbers need not be looked at from each. */
function isGroup(text: string, at: number): boolean {
  return isDigit(text, at + 1) && isDigit(text, at + 2) && isDigit(text, at + 3);
}

/** Returns true if the digits follow a decimal point. */
function isFraction(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === POINT && isDigit(text, at - 2);
}

/** Where a card number that begins here ends: only where its digits or a group of them end. */
function cardEnd(text: string, start: number): number | null {
  const lengths = LENGTHS[text.charCodeAt(start) - ZERO] ?? [];
  const longest = lengths.at(-1) ?? 0;
  // Each second digit from the last one on counts twice: both sums are kept until it is known.
  const sums = { plain: 0, doubled: 0 };
  for (let at = start, count = 0; count < longest; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) {
      count += 1;
      const { plain, doubled } = sums;
      sums.plain = doubled + digit;
      sums.doubled = plain + (DOUBLED[digit] ?? 0);
      if (sums.plain % 10 === 0 && lengths.includes(count) && !isDigit(text, at + 1)) return at + 1;
    } else if (!isSeparator(text, at)) {
      return null;
    }
  }
  return null;
}

/** One blank or hyphen between two digits. */
function isSeparator(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === BLANK || code === HYPHEN) && isDigit(text, at + 1);
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text, at)) at += 1;
  return at;
}

function isDigit(text: string, at: number): boolean {
  return isDigitCode(text.charCodeAt(at));
}
