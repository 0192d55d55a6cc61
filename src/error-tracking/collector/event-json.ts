import { unreadable } from './ingest-error.js';

const MAX_DEPTH = 500;
const MAX_MEMBERS = 60_000;
/** JSON below this length always parses fast, whatever its structure. */
const HARMLESS_LENGTH = 128 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Parses the JSON of an event. Throws 400 for what is none, and for texts whose depth or number of
 * members would keep the process busy: no program makes such events.
 */
export function parseEventJson(text: string): unknown {
  if (text.length > HARMLESS_LENGTH) checkBounds(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The message quotes the text.
    throw unreadable('invalid JSON data', [error instanceof SyntaxError ? 'not JSON' : 'unknown']);
  }
}

function checkBounds(text: string): void {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (code === COMMA) members += 1;
    // Bit 5 aside, brackets and braces are the same: 0x5b, 0x7b open and 0x5d, 0x7d close.
    else if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
    if (depth > MAX_DEPTH) throw unreadable('invalid JSON data', ['nested too deeply']);
    if (members > MAX_MEMBERS) throw unreadable('invalid JSON data', ['too many members']);
  }
}

/** Position of the quote that ends the string; of the last character where none does. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}
