import { keysetUnsupported } from '../core/pagination/keyset.js';
import type { ListProjectsDto } from './dto/list-projects.dto.js';

/** Keyset pagination of projects goes by id only (API doc, Limits); anything else is 405. */
export function assertKeysetSupported({ order_by: column }: ListProjectsDto): void {
  if (column !== 'id') throw keysetUnsupported();
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
