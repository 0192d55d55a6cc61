/** Stands for a value that its declaration refuses; a validator turns it into `… is invalid`. */
export const INVALID = Symbol('invalid parameter');

const TRUE_WORDS = new Set(['1', 'on', 't', 'true', 'y', 'yes']);
const FALSE_WORDS = new Set(['0', 'off', 'f', 'false', 'n', 'no']);
const INTEGER_PATTERN = /^-?\d{1,16}$/;
const NUMBER_PATTERN = /^-?\d{1,16}(\.\d{1,16})?$/;
const DATE_LENGTH = 'YYYY-MM-DD'.length;
const DATE_TIME_PATTERN =
  /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** A JSON integer or a decimal string; the empty string counts as null. */
export function toInteger(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : INVALID;
  if (value === '' || value === null) return null;
  if (typeof value !== 'string' || !INTEGER_PATTERN.test(value)) return INVALID;
  const parsed = Number(value);
  return Number.isSafeInteger(parsed) ? parsed : INVALID;
}

/** A JSON number or a decimal string such as `87.5`; the empty string counts as null. */
export function toNumber(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : INVALID;
  if (value === '' || value === null) return null;
  return typeof value === 'string' && NUMBER_PATTERN.test(value) ? Number(value) : INVALID;
}

/** true, false and their usual spellings from forms, in lower, Capitalised or UPPER form. */
export function toBoolean(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  if (value === '' || value === null) return null;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string' || !isOneCase(value)) return INVALID;
  const word = value.toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : INVALID;
}

function isOneCase(word: string): boolean {
  const tail = word.slice(1);
  return tail === tail.toLowerCase() || word === word.toUpperCase();
}

/** Text; numbers and booleans of a JSON body are written out, lists and objects refused. */
export function toText(value: unknown): unknown {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return INVALID;
}

/**
 * Validates a calendar date `YYYY-MM-DD`, kept as text since dates have no time zone. Clients that
 * send a date and time get its day as written.
 */
export function toDate(value: unknown): unknown {
  if (value === '' || value === null) return null;
  if (typeof value !== 'string' || toDateTime(value) === INVALID) return INVALID;
  const day = value.slice(0, DATE_LENGTH);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? day : INVALID;
}

/** ISO 8601 with optional zone (UTC when absent) as a Date. */
export function toDateTime(value: unknown): unknown {
  if (value === '' || value === null) return null;
  if (typeof value !== 'string' || !DATE_TIME_PATTERN.test(value)) return INVALID;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/i.test(value.slice(10)) || value.length === 10;
  const date = new Date(zoned ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? INVALID : date;
}

/** The content of an uploaded file; the empty string counts as null. */
export function toFile(value: unknown): unknown {
  if (value === '' || value === null) return null;
  return Buffer.isBuffer(value) ? value : INVALID;
}

/**
 * Returns a list: `name[]=a` repeated, a JSON array, an object with the keys 0, 1, … (the form
 * spelling of an indexed list), and text split at commas with `commaSeparated`. null becomes [].
 */
export function toList(value: unknown, commaSeparated: boolean): unknown {
  if (value === null || value === '') return [];
  if (Array.isArray(value)) return value.length === 1 && value[0] === '' ? [] : value;
  if (typeof value === 'string') return commaSeparated ? splitAtCommas(value) : INVALID;
  if (typeof value === 'object') return indexedList(value as Record<string, unknown>);
  return INVALID;
}

function splitAtCommas(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function indexedList(value: Record<string, unknown>): unknown {
  const keys = Object.keys(value);
  if (!keys.every((key) => /^\d{1,6}$/.test(key))) return INVALID;
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => value[key]);
}

/** A path without its percent signs; null when they do not spell UTF-8. */
export function decodedPath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
