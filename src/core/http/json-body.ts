import { BadRequestError, InvalidParamsError } from '../errors.js';
import { markDuplicateKeys } from './form-params.js';

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Returns the position of a syntax error as `line 1, column 17`, which V8's own errors omit in some
 * cases. Recurses into nested values, so their depth must be limited before.
 */
export function jsonMistake(text: string): string {
  const read = text.slice(0, new JsonReader(text).readable());
  const lines = read.split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/**
 * Validates JSON (RFC 8259) without building values; each method returns whether its token matched.
 */
class JsonReader {
  private at = 0;

  constructor(private readonly text: string) {}

  /** Returns the length of the longest prefix that can begin a JSON text. */
  readable(): number {
    if (this.value()) this.takes(SPACE);
    return this.at;
  }

  private value(): boolean {
    this.takes(SPACE);
    const first = this.text[this.at];
    if (first === '{') return this.list('}', () => this.member());
    if (first === '[') return this.list(']', () => this.value());
    return first === '"' ? this.string() : this.takes(SCALAR);
  }

  private list(end: string, item: () => boolean): boolean {
    this.at += 1;
    if (this.char(end)) return true;
    do if (!item()) return false;
    while (this.char(','));
    return this.char(end);
  }

  private member(): boolean {
    return this.string() && this.char(':') && this.value();
  }

  private string(): boolean {
    if (!this.char('"')) return false;
    do this.takes(PLAIN);
    while (this.takes(ESCAPE));
    if (this.text[this.at] !== '"') return false;
    this.at += 1;
    return true;
  }

  private char(wanted: string): boolean {
    this.takes(SPACE);
    if (this.text[this.at] !== wanted) return false;
    this.at += 1;
    return true;
  }

  private takes(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }
}

const MAX_DEPTH = 100;
const MAX_MEMBERS = 20_000;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACKET = 0x5d;
const CLOSE_BRACE = 0x7d;
const SMALL_U = 0x75;

/** 400 for JSON that is deeper or has more members than is read. */
export class JsonLimitExceededError extends BadRequestError {}

/**
 * Parses a JSON body. Depth, number of members, NUL and lone surrogates (PostgreSQL stores
 * neither) are judged in one pass over the text before anything is built from it.
 * Throws 400; `__proto__` members are dropped. The last of equal names wins, which is noted.
 */
export function parseJsonBody(text: string): unknown {
  const outerMembers = checkLimits(text);
  const body = parsed(text);
  const isHash = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (isHash && Object.keys(body).length < outerMembers) markDuplicateKeys(body);
  return body;
}

function parsed(text: string): unknown {
  // Escapes can spell the name, too; bodies with neither take the fast way without a reviver.
  const mayHoldPrototype = text.includes('__proto__') || /\\u005f/i.test(text);
  try {
    return JSON.parse(text, mayHoldPrototype ? dropPrototype : undefined) as unknown;
  } catch {
    throw new InvalidParamsError([`body is not valid JSON (${jsonMistake(text)})`]);
  }
}

function dropPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

/** Throws 400; returns how many members the outermost object has, repeated ones included. */
function checkLimits(text: string): number {
  let depth = 0;
  let members = 0;
  let outerMembers = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new JsonLimitExceededError('JSON is nested too deeply');
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
    } else if (code === COLON) {
      members += 1;
      if (depth === 1) outerMembers += 1;
      if (members > MAX_MEMBERS) throw new JsonLimitExceededError('JSON has too many members');
    }
  }
  return outerMembers;
}

/** Position of the closing quote; judges the escapes on the way. */
function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code !== BACKSLASH) at += 1;
    else at += text.charCodeAt(at + 1) === SMALL_U ? unicodeEscapeLength(text, at) : 2;
  }
  return at;
}

/** Returns the length of the escape, both halves of a surrogate pair together. */
function unicodeEscapeLength(text: string, at: number): number {
  const unit = Number.parseInt(text.slice(at + 2, at + 6), 16);
  if (unit === 0) throw new BadRequestError('NUL is not allowed');
  if (!(unit >= 0xd800 && unit <= 0xdfff)) return 6;
  const low = text.startsWith('\\u', at + 6)
    ? Number.parseInt(text.slice(at + 8, at + 12), 16)
    : Number.NaN;
  const isPair = unit <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
  if (!isPair) throw new BadRequestError('text is not valid Unicode');
  return 12;
}
