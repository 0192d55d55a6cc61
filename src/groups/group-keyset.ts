import { InvalidParamsError } from '../core/errors.js';
import { keysetUnsupported } from '../core/pagination/keyset.js';
import type { Viewer } from '../core/access/viewer.js';
import type { ListGroupsDto } from './dto/list-groups.dto.js';
import type { GroupRow } from './group-row.js';

/** The last group of a page in the order by name. */
export type GroupPosition = Pick<GroupRow, 'id' | 'name'>;

/** Some groups in the order by name, and whether more follow. */
export interface GroupSlice {
  items: GroupRow[];
  hasNext: boolean;
}

/** Pages lead forward only. */
const NEXT = 'n';

/** Keyset pagination of groups goes by ascending name and is for anonymous callers; else 405. */
export function assertKeysetSupported(filters: ListGroupsDto, viewer: Viewer | null): void {
  const isByName = (filters.order_by ?? 'name') === 'name' && (filters.sort ?? 'asc') === 'asc';
  if (!isByName || viewer !== null) throw keysetUnsupported();
}

/** The parameter that leads to the page after this one, or null after the last. */
export function positionAfter({ items, hasNext }: GroupSlice): { cursor: string } | null {
  const last = items.at(-1);
  if (last === undefined || !hasNext) return null;
  const text = JSON.stringify({ name: last.name, id: String(last.id), _kd: NEXT });
  return { cursor: Buffer.from(text).toString('base64url') };
}

/** Reads a cursor that `positionAfter` made, in the form that v4 clients know; null without a cursor. Throws 400 for anything else. */
export function readCursor(cursor: string | null | undefined): GroupPosition | null {
  if (!cursor) return null;
  const { name, id, _kd } = parseCursor(cursor);
  if (typeof name !== 'string' || !/^\d{1,15}$/.test(String(id)) || _kd !== NEXT) throw invalid();
  return { name, id: Number(id) };
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
