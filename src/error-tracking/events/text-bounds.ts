import { pairsOf, textOf } from '../parsing/json-values.js';
import { valueText } from './value-text.js';

/** Name and value as text; names can occur more than once. */
export type TextPair = [name: string, text: string];

const MAX_TEXT = 8_192;
const MAX_NAME = 200;
const MAX_PAIRS = 200;

/**
 * Makes texts and lists of one event as short as pages bear, and notices when something was cut:
 * an event of 1 MiB may be a single text, or 100,000 of them.
 */
export class TextBounds {
  isCut = false;

  /** Any value as text; null for what is none: null, '', nothing at all. */
  text(value: unknown, limit = MAX_TEXT): string | null {
    const text = valueText(textOf(value) ?? value, limit);
    // Cut texts end so, one shorter where a character would be cut in two.
    if (text.length >= limit - 1 && text.endsWith('…')) this.isCut = true;
    return text === '' ? null : text;
  }

  /** Members of an object, or pairs of a list of pairs. */
  pairs(value: unknown, limit = MAX_TEXT): TextPair[] {
    return this.list(pairsOf(value), MAX_PAIRS).map(([name, member]) => [
      valueText(name, MAX_NAME),
      this.text(member, limit) ?? '',
    ]);
  }

  /** The first elements. */
  list<T>(list: readonly T[], limit: number): readonly T[] {
    this.expect(list.length, limit);
    return list.length > limit ? list.slice(0, limit) : list;
  }

  /** Notices when more were sent than someone else let through. */
  expect(sent: number, limit: number): void {
    if (sent > limit) this.isCut = true;
  }
}
