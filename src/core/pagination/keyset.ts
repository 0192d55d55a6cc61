import { type ApiError, InvalidParamsError, MethodNotAllowedError } from '../errors.js';
import { TextParam } from '../params/params.decorator.js';

type Sort = 'asc' | 'desc';

/** Request parameters of keyset pagination. */
export interface KeysetParams {
  pagination?: string | null;
  order_by?: string | null;
  sort?: Sort | null;
}

/** The one order in which a list has keyset pagination (API doc, Limits). */
interface KeysetSupport {
  orderBy: string;
  /** Directions, the list's own first: it holds when a client leaves `sort` out. */
  sorts: readonly [Sort, ...Sort[]];
  /**
   * True if the list offers keyset pagination to this viewer.
   */
  isOffered: boolean;
}

/**
 * Returns true if the request asks for keyset pagination. It then requires an order: throws 400
 * without `order_by`, 405 for an order or a viewer that the list does not support.
 */
export function wantsKeyset(params: KeysetParams, support: KeysetSupport): boolean {
  if (params.pagination !== 'keyset') return false;
  const { order_by: orderBy, sort } = params;
  if (!orderBy) throw new InvalidParamsError(['order_by is missing']);
  const isSorted = support.sorts.includes(sort ?? support.sorts[0]);
  if (orderBy !== support.orderBy || !isSorted || !support.isOffered) throw keysetUnsupported();
  return true;
}

function keysetUnsupported(): ApiError {
  const error = 'Keyset pagination is not yet available for this type of request';
  return new MethodNotAllowedError({ error });
}

/** Pages lead forward only. */
const NEXT = 'n';

/** The digits of an id that a JavaScript number holds. */
const ID = /^\d{1,15}$/;

/** Values of the sort columns in the last row of a page. */
type CursorPosition<Column extends string> = Readonly<Record<Column, string>>;

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

/** Parameters of lists that go by id and have keyset pagination by cursor. */
export class ListByIdDto {
  /** The only supported order. */
  @TextParam({ values: ['id'] })
  order_by?: 'id' | null;

  /** Newest first by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /**
   * `keyset` paginates by `cursor` until a page is empty; other values paginate by page number.
   * Keyset pagination requires `order_by` and sorts newest first by default.
   */
  @TextParam({ values: ['keyset', 'legacy', 'offset'] })
  pagination?: 'keyset' | 'legacy' | 'offset' | null;

  /** Cursor of a page with `pagination=keyset`, from the link to it. */
  @TextParam()
  cursor?: string | null;
}
