import type { Request } from 'express';
import { publicBaseUrl } from '../public-url.js';

/** Parameters that carry a credential: never echoed into a URL we emit (RFC 9700 §4.3). */
const SECRET_PARAMS = new Set(['private_token', 'access_token', 'job_token', 'bearer_token']);

/** Page numbers per relation; null leaves the relation out. */
export interface PageLinks {
  prev: number | null;
  next: number | null;
  first: number | null;
  last: number | null;
}

/**
 * RFC 8288 `Link` value with absolute URLs: the request's path, the client's own parameters
 * without credentials, then page and per_page; keys sorted.
 */
export function linkHeader(request: Request, pages: PageLinks, perPage: number): string {
  return (['prev', 'next', 'first', 'last'] as const)
    .filter((rel) => pages[rel] !== null)
    .map((rel) => {
      const extra = { page: String(pages[rel]), per_page: String(perPage) };
      return `<${pageUrl(request, extra)}>; rel="${rel}"`;
    })
    .join(', ');
}

/** The request's own absolute URL with some parameters set anew and credentials left out. */
export function pageUrl(request: Request, extra: Record<string, string>): string {
  const [path = '', query = ''] = request.originalUrl.split('?', 2);
  const params = new URLSearchParams(query);
  for (const name of [...params.keys()]) {
    if (SECRET_PARAMS.has(name)) params.delete(name);
  }
  for (const [name, value] of Object.entries(extra)) params.set(name, value);
  params.sort();
  return `${publicBaseUrl(request)}${path}?${params.toString()}`;
}
