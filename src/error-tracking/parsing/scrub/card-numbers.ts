/** What stands in the place of what was removed. */
export const FILTERED = '[Filtered]';

/** Digits in a row, also in groups; `0.4111…` and the middle of a longer number are none. */
const CANDIDATE = /(?<!\d)(?<!\d\.)[2-6](?:[ -]?\d){12,18}/g;

/** How long card numbers are, by their first digit (ISO/IEC 7812). */
const LENGTHS: Readonly<Record<string, readonly number[]>> = {
  2: [16],
  3: [14, 15, 16],
  4: [13, 16, 19],
  5: [16],
  6: [16, 17, 18, 19],
};

/** The text without numbers of payment cards. */
export function withoutCards(text: string): string {
  let kept = '';
  let from = 0;
  for (const [start, end] of cardsIn(text)) {
    kept += text.slice(from, start) + FILTERED;
    from = end;
  }
  return from === 0 ? text : kept + text.slice(from);
}

export function holdsCard(text: string): boolean {
  return !cardsIn(text).next().done;
}

/** Where card numbers begin and end. */
function* cardsIn(text: string): Generator<[start: number, end: number]> {
  const candidates = new RegExp(CANDIDATE);
  for (let match = candidates.exec(text); match !== null; match = candidates.exec(text)) {
    const end = cardEnd(text, match.index, candidates.lastIndex);
    // A group before may be something else: `3 4111 1111 1111 1111` has a card in it.
    if (end === null) candidates.lastIndex = match.index + (/[ -]/.exec(match[0])?.index ?? 1);
    else yield [match.index, (candidates.lastIndex = end)];
  }
}

/** Where a card number that begins here ends: only where its digits or a group of them end. */
function cardEnd(text: string, start: number, last: number): number | null {
  const lengths = LENGTHS[text.charAt(start)] ?? [];
  let digits = '';
  for (let at = start; at < last; at++) {
    if (!isDigit(text, at)) continue;
    digits += text.charAt(at);
    if (lengths.includes(digits.length) && !isDigit(text, at + 1) && hasCheckDigit(digits)) {
      return at + 1;
    }
  }
  return null;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The check of ISO/IEC 7812-1, annex B. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, doubled = false; at >= 0; at--, doubled = !doubled) {
    const digit = Number(digits.charAt(at)) * (doubled ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
