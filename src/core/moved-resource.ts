import type { Request } from 'express';
import { ApiError, MethodNotAllowedError } from './errors.js';
import { pageUrl } from './pagination/link-header.js';

/** Resource that was requested by a former path. */
export interface MovedResource {
  collection: 'projects' | 'groups';
  id: number;
}

/**
 * The answer for a resource addressed by an old path: 301 to its address by id for reading, 405
 * for everything else, which clients would repeat as GET (RFC 9110 §15.4.2).
 */
export function movedResourceError(request: Request, { collection, id }: MovedResource): ApiError {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new MethodNotAllowedError({
      message: `Non GET methods are not allowed for moved ${collection}`,
    });
  }
  const url = pageUrl(request, {})
    .replace(new RegExp(`/${collection}/[^/?]+`), `/${collection}/${id}`)
    .replace(/\?$/, '');
  return new ApiError(
    301,
    { message: `This resource has been moved permanently to ${url}` },
    { headers: { Location: url } },
  );
}
