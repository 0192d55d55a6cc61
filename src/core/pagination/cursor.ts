import { InvalidParamsError } from '../errors.js';

/** Pages lead forward only. */
const NEXT = 'n';

/** The digits of an id that a JavaScript number holds. */
const ID = /^\d{1,15}$/;

/** Values of the sort columns in the last row of a page. */
export type CursorPosition<Column extends string> = Readonly<Record<Column, string>>;

/**
 * Returns the parameter of the page after these rows, or null after an empty page, which is the
 * end: base64url of a JSON object of `columns` as strings, as v4 clients expect.
 */
export function cursorAfter<Column extends string, T extends Record<Column, unknown>>(
  rows: readonly T[],
  columns: readonly Column[],
): { cursor: string } | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const position = columns.map((name) => [name, String(last[name])] as const);
  const text = JSON.stringify({ ...Object.fromEntries(position), _kd: NEXT });
  return { cursor: Buffer.from(text).toString('base64url') };
}

/**
 * Reads what `cursorAfter` wrote for the same columns; null without a cursor. Throws 400
 * `cursor is invalid` for anything else. A column `id` holds digits.
 */
export function readCursor<Column extends string>(
  cursor: string | null | undefined,
  columns: readonly Column[],
): CursorPosition<Column> | null {
  if (!cursor) return null;
  const parsed = parseCursor(cursor);
  const isWhole = columns.every((name) => isPosition(name, parsed[name]));
  if (!isWhole || parsed['_kd'] !== NEXT) throw invalid();
  return Object.fromEntries(
    columns.map((name) => [name, parsed[name]]),
  ) as unknown as CursorPosition<Column>;
}

/** The id after which a page of a list ordered by id begins; null at its beginning. Throws 400. */
export function readIdCursor(cursor: string | null | undefined): number | null {
  const position = readCursor(cursor, ['id']);
  return position === null ? null : Number(position.id);
}

/** PostgreSQL's texts cannot hold U+0000. */
function isPosition(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value.includes('\0')) return false;
  return name !== 'id' || ID.test(value);
}

function parseCursor(cursor: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return { ...(parsed as object) };
  } catch {
    throw invalid();
  }
}

function invalid(): InvalidParamsError {
  return new InvalidParamsError(['cursor is invalid']);
}
