import type { Request } from 'express';
import { ApiError } from '../core/errors.js';
import { pageUrl } from '../core/pagination/link-header.js';
import type { ListProjectsDto } from './dto/list-projects.dto.js';

/** Keyset pagination of projects goes by id only (API doc, Limits); anything else is 405. */
export function assertKeysetSupported(filters: ListProjectsDto): void {
  if (filters.order_by === 'id') return;
  throw new ApiError(405, {
    error: 'Keyset pagination is not yet available for this type of request',
  });
}

/** The address of the next page after these rows; null after an empty page, which is the end. */
export function keysetLink(
  request: Request,
  filters: ListProjectsDto,
  rows: readonly { id: number }[],
): string | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const bound = filters.sort === 'asc' ? 'id_after' : 'id_before';
  return `<${pageUrl(request, { [bound]: String(last.id) })}>; rel="next"`;
}
