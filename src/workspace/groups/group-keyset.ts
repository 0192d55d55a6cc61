import type { Viewer } from '../../core/access/viewer.js';
import { readCursor } from '../../core/pagination/cursor.js';
import { wantsKeyset } from '../../core/pagination/keyset.js';
import type { ListGroupsDto } from './group.dto.js';
import type { GroupRow } from './groups.repository.js';

/** The last group of a page in the order by name. */
export type GroupPosition = Pick<GroupRow, 'id' | 'name'>;

/** The columns of the order, as a cursor names them. */
export const GROUP_ORDER = ['name', 'id'] as const;

/** Keyset pagination of groups goes by ascending name and is for anonymous callers. */
export function wantsGroupKeyset(filters: ListGroupsDto, viewer: Viewer | null): boolean {
  return wantsKeyset(filters, { orderBy: 'name', sorts: ['asc'], isOffered: viewer === null });
}

/** Where the page begins; null at the beginning of the list. Throws 400 `cursor is invalid`. */
export function readGroupCursor({ cursor }: ListGroupsDto): GroupPosition | null {
  const position = readCursor(cursor, GROUP_ORDER);
  return position === null ? null : { name: position.name, id: Number(position.id) };
}
