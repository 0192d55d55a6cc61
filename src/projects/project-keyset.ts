import { wantsKeyset } from '../core/pagination/keyset.js';
import type { ListProjectsDto } from './dto/list-projects.dto.js';

/** Keyset pagination of projects goes by id, newest first unless asked otherwise. */
export function wantsProjectKeyset(filters: ListProjectsDto): boolean {
  return wantsKeyset(filters, { orderBy: 'id', sorts: ['desc', 'asc'], isOffered: true });
}

/** Where the page after these rows begins; null after an empty page, which is the end. */
export function positionAfter(
  rows: readonly { id: number }[],
  { sort }: ListProjectsDto,
): Record<string, string> | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  return { [sort === 'asc' ? 'id_after' : 'id_before']: String(last.id) };
}
