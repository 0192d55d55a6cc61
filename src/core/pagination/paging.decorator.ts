import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidParamsError, ApiError, MethodNotAllowedError } from '../errors.js';
import { INVALID, toInteger } from '../params/coerce.js';
import { rawInput } from '../params/input.decorator.js';
import { publicBaseUrl } from '../response-context.js';
import type { JsonText } from '../http/http-response.js';
import { jsonList, type JsonItem } from './json-items.js';
import type { Page } from './page.js';

export const DEFAULT_PER_PAGE = 20;
export const MAX_PER_PAGE = 100;

/** A page so deep that its offset could not be computed exactly counts as this one. */
const MAX_PAGE = 1_000_000_000;

/** Pagination of one request (API doc, Limits): what to read, and how to answer it. */
export class Paging {
  readonly page: number;
  readonly perPage: number;

  constructor(
    private readonly request: Request,
    private readonly response: Response,
    raw: Record<string, unknown> = rawInput(request),
    /** False for a list whose total is not shown. */
    readonly isCounted = true,
  ) {
    const { page, perPage } = parsePaging(raw['page'], raw['per_page']);
    this.page = page;
    this.perPage = perPage;
  }

  get offset(): number {
    return (this.page - 1) * this.perPage;
  }

  /** The first page of another list that the same answer shows. */
  first(perPage: number): Paging {
    return new Paging(this.request, this.response, { per_page: perPage });
  }

  /** The same page without the total of its list. */
  uncounted(): Paging {
    const raw = { page: this.page, per_page: this.perPage };
    return new Paging(this.request, this.response, raw, false);
  }

  /** The first page of another list without its total, which takes longer to count than the rows to read. */
  latest(perPage: number): Paging {
    return new Paging(this.request, this.response, { per_page: perPage }, false);
  }

  /** The same for items that are JSON already. */
  writeJson<T>(page: Page<JsonItem<T>>): JsonText<T[]> {
    return jsonList(this.write(page));
  }

  /** Writes the pagination headers and returns the body. */
  write<T>(page: Page<T>): T[] {
    const { response } = this;
    const totalPages =
      page.total === null ? null : Math.max(1, Math.ceil(page.total / this.perPage));
    const isPast = page.items.length === 0 && this.page > 1;
    const prev = this.page > 1 && !isPast ? this.page - 1 : null;
    const next = page.hasNext ? this.page + 1 : null;
    response.setHeader('X-Per-Page', String(this.perPage));
    response.setHeader('X-Page', String(this.page));
    response.setHeader('X-Next-Page', String(next ?? ''));
    response.setHeader('X-Prev-Page', String(prev ?? ''));
    if (page.total !== null) {
      response.setHeader('X-Total', String(page.total));
      response.setHeader('X-Total-Pages', String(totalPages));
    }
    response.setHeader(
      'Link',
      linkHeader(this.request, { prev, next, first: 1, last: totalPages }, this.perPage),
    );
    return page.items;
  }

  /**
   * Returns a keyset page. Its only pagination header links to the next page, which begins after
   * `position`; null for the empty page at the end (API doc, Limits).
   */
  writeKeyset<T>(items: T[], position: Record<string, string> | null): T[] {
    if (position !== null) {
      this.response.setHeader('Link', `<${pageUrl(this.request, position)}>; rel="next"`);
    }
    return items;
  }
}

/** Reads `page` and `per_page`: default 1 and 20, at most 100; throws InvalidParamsError. */
export function parsePaging(
  rawPage: unknown,
  rawPerPage: unknown,
): { page: number; perPage: number } {
  const page = toInteger(rawPage ?? null);
  const perPage = toInteger(rawPerPage ?? null);
  const problems: string[] = [];
  if (page === INVALID) problems.push('page is invalid');
  if (perPage === INVALID) problems.push('per_page is invalid');
  if (perPage === 0) problems.push('per_page has a value not allowed');
  if (problems.length > 0) throw new InvalidParamsError(problems);
  return {
    page: Math.min(MAX_PAGE, Math.max(1, Number(page ?? 1))),
    perPage: clampPerPage(perPage as number | null),
  };
}

function clampPerPage(perPage: number | null): number {
  if (perPage === null || perPage < 0) return DEFAULT_PER_PAGE;
  return Math.min(perPage, MAX_PER_PAGE);
}

/** The request's pagination: `list(@Pages() paging: Paging)`. */
export const Pages = createParamDecorator((_: unknown, context: ExecutionContext): Paging => {
  const http = context.switchToHttp();
  return new Paging(http.getRequest<Request>(), http.getResponse<Response>());
});

/** Parameters that carry a credential: never echoed into a URL we emit (RFC 9700 §4.3). */
export const SECRET_PARAMS: ReadonlySet<string> = new Set([
  'private_token',
  'access_token',
  'job_token',
  'bearer_token',
]);

/** Page numbers per relation; null leaves the relation out. */
interface PageLinks {
  prev: number | null;
  next: number | null;
  first: number | null;
  last: number | null;
}

/**
 * RFC 8288 `Link` value with absolute URLs: the request's path, the client's own parameters
 * (its per_page as it was sent) without credentials, and the page; keys sorted.
 */
function linkHeader(request: Request, pages: PageLinks, perPage: number): string {
  const size: Record<string, string> =
    request.query['per_page'] === undefined ? { per_page: String(perPage) } : {};
  const { address, params } = ownUrl(request, { page: '', ...size });
  return (['prev', 'next', 'first', 'last'] as const)
    .filter((rel) => pages[rel] !== null)
    .map((rel) => {
      params.set('page', String(pages[rel]));
      return `<${address}?${params.toString()}>; rel="${rel}"`;
    })
    .join(', ');
}

/** Returns the request's own absolute URL with some parameters replaced, without credentials. */
function pageUrl(request: Request, extra: Record<string, string>): string {
  const { address, params } = ownUrl(request, extra);
  return `${address}?${params.toString()}`;
}

/** Returns that URL without its query, and its sorted parameters. */
function ownUrl(
  request: Request,
  extra: Record<string, string>,
): { address: string; params: URLSearchParams } {
  const [path = '', ...query] = request.originalUrl.split('?');
  // A question mark is an ordinary character of a query (RFC 3986 §3.4).
  const params = new URLSearchParams(query.join('?'));
  for (const name of [...params.keys()]) {
    if (SECRET_PARAMS.has(name)) params.delete(name);
  }
  for (const [name, value] of Object.entries(extra)) params.set(name, value);
  params.sort();
  return { address: `${publicBaseUrl(request)}${path}`, params };
}

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
