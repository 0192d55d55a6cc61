import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { dialectOf } from './dialect.js';

export const ROUTE_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type RouteMethod = (typeof ROUTE_METHODS)[number];

interface PageRoute {
  method: RouteMethod;
  path: string;
  handler: RequestHandler;
}

/**
 * Returns true if the path starts with or contains the path of a user, group or project, which
 * matches any number of segments.
 */
export function hasWildcard(path: string): boolean {
  return path.includes('/*') || path.startsWith('/:');
}

/** Returns true for paths of the API, which are never pages, even if a wildcard matches. */
export function isApiPath(path: string): boolean {
  return dialectOf(path) !== 'page';
}

/**
 * Routes at the root of the site, registered after those of the API: the router tries its routes
 * one after the other, and API requests are more frequent.
 */
export class PageRoutes {
  private readonly routes: PageRoute[] = [];
  /** By method and path: those without any parameter. */
  private readonly fixed = new Map<string, RequestHandler>();

  add(route: PageRoute): void {
    this.routes.push(route);
    const { method, path, handler } = route;
    if (!/[:*]/.test(path)) this.fixed.set(`${method.toUpperCase()} ${path}`, handler);
  }

  /**
   * Express middleware that answers requests for fixed paths, such as those of OAuth, without
   * asking any other route. Other spellings of a path find their way through the router.
   */
  readonly answerFixed: RequestHandler = (request, response, next) => {
    const handler = this.fixed.get(`${request.method} ${request.path}`);
    if (handler === undefined) next();
    else handler(request, response, next);
  };

  /** Returns the routes in matching order: the most specific first. */
  inOrder(): PageRoute[] {
    const fixed = this.routes.filter(({ path }) => !hasWildcard(path));
    const open = this.routes
      .filter(({ path }) => hasWildcard(path))
      .map((route) => ({ ...route, handler: forPeople(route.handler) }));
    return [...fixed, ...open.sort((one, other) => rankOf(other) - rankOf(one))];
  }
}

/**
 * Paths with a fixed beginning come first, then those with more fixed segments; parameter names do
 * not count.
 */
function rankOf({ path }: PageRoute): number {
  return (path.startsWith('/*') ? 0 : 10_000) + path.replace(/[:*]\w+/g, ':').length;
}

function forPeople(handler: RequestHandler): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) =>
    isApiPath(request.path) ? next() : handler(request, response, next);
}
