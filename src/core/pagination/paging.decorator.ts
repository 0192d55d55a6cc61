import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InvalidParamsError } from '../errors.js';
import { INVALID, toInteger } from '../params/coerce.js';
import { rawInput } from '../params/input.decorator.js';
import { linkHeader, pageUrl } from './link-header.js';
import type { Page } from './page.js';

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;

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
