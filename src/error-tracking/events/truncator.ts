import { pairsOf, textOf } from '../parsing/json-values.js';

const MAX_DEPTH = 8;

/**
 * A value of a payload as text, at most `limit` characters long: texts as they are, everything else
 * as JSON. What lies too deep or is too long becomes `…`. null and undefined give an empty text.
 */
function valueText(value: unknown, limit: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return truncate(value, limit);
  const parts: string[] = [];
  write(value, { parts, left: limit }, 0);
  return truncate(parts.join(''), limit);
}

/** Returns at most `limit` characters; cut texts end with `…`, never within a character. */
function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

interface Output {
  parts: string[];
  left: number;
}

function put(output: Output, text: string): void {
  output.parts.push(text);
  output.left -= text.length;
}

/** By hand, not by JSON.stringify: that one ends in an exception where values lie deep. */
function write(value: unknown, output: Output, depth: number): void {
  if (output.left < 0) return;
  if (typeof value === 'string')
    return put(output, JSON.stringify(value.slice(0, output.left + 1)));
  if (typeof value !== 'object' || value === null) return put(output, String(value));
  if (depth === MAX_DEPTH) return put(output, '…');
  if (Array.isArray(value)) return writeList(value, output, depth);
  writeFields(value as Record<string, unknown>, output, depth);
}

function writeList(items: readonly unknown[], output: Output, depth: number): void {
  put(output, '[');
  for (const [index, item] of items.entries()) {
    if (output.left < 0) return;
    if (index > 0) put(output, ', ');
    write(item, output, depth + 1);
  }
  put(output, ']');
}

function writeFields(fields: Record<string, unknown>, output: Output, depth: number): void {
  put(output, '{');
  for (const [index, key] of Object.keys(fields).entries()) {
    if (output.left < 0) return;
    put(output, `${index > 0 ? ', ' : ''}${JSON.stringify(key)}: `);
    write(fields[key], output, depth + 1);
  }
  put(output, '}');
}

/** Name and value as text; names can occur more than once. */
export type TextPair = [name: string, text: string];

const MAX_TEXT = 8_192;
const MAX_NAME = 200;
const MAX_PAIRS = 200;

/**
 * Truncates texts and lists of one event, and records if anything was cut: an event of 1 MiB can be a
 * single text, or 100,000 of them.
 */
export class Truncator {
  isCut = false;

  /** Returns any value as text; null for null, undefined and the empty text. */
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
