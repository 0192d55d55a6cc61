import type { Request } from 'express';
import { publicBaseUrl } from '../public-url.js';

/** Parameters that carry a credential: never echoed into a URL we emit (RFC 9700 §4.3). */
export const SECRET_PARAMS: ReadonlySet<string> = new Set([
  'private_token',
  'access_token',
  'job_token',
  'bearer_token',
]);

/** Page numbers per relation; null leaves the relation out. */
export interface PageLinks {
  prev: number | null;
  next: number | null;
  first: number | null;
  last: number | null;
}

/**
 * RFC 8288 `Link` value with absolute URLs: the request's path, the client's own parameters
 * (its per_page as it was sent) without credentials, and the page; keys sorted.
 */
export function linkHeader(request: Request, pages: PageLinks, perPage: number): string {
  const isSizeGiven = request.query['per_page'] !== undefined;
  const size: Record<string, string> = isSizeGiven ? {} : { per_page: String(perPage) };
  return (['prev', 'next', 'first', 'last'] as const)
    .filter((rel) => pages[rel] !== null)
    .map((rel) => {
      return `<${pageUrl(request, { page: String(pages[rel]), ...size })}>; rel="${rel}"`;
    })
    .join(', ');
}

/** Returns the request's own absolute URL with some parameters replaced, without credentials. */
export function pageUrl(request: Request, extra: Record<string, string>): string {
  const [path = '', ...query] = request.originalUrl.split('?');
  // A question mark is an ordinary character of a query (RFC 3986 §3.4).
  const params = new URLSearchParams(query.join('?'));
  for (const name of [...params.keys()]) {
    if (SECRET_PARAMS.has(name)) params.delete(name);
  }
  for (const [name, value] of Object.entries(extra)) params.set(name, value);
  params.sort();
  return `${publicBaseUrl(request)}${path}?${params.toString()}`;
}
