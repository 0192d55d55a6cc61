import { BadRequestError, InvalidParamsError } from '../errors.js';
import { jsonMistake } from './json-mistake.js';
import { markDuplicateKeys } from './duplicate-keys.js';

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
  // Escapes may spell the name, too; bodies with neither take the fast way without a reviver.
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

/** Throws 400; answers how many members the outermost object has, repeated ones included. */
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

/** Length of the escape at this place, both halves of a surrogate pair together. */
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
