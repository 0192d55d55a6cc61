import type { Request, NextFunction, RequestHandler, Response } from 'express';
import { ApiError, RouteNotFoundError } from '../errors.js';
import { dialectOf } from './dialect.js';

/** Part of a layer of Express' router with its path and methods. */
export interface RouterLayer {
  match(path: string): unknown;
  route?: { path: string | string[]; methods: Record<string, boolean> };
}

/** The usual order of an Allow header. */
const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface KnownRoute {
  methods: string[];
  patterns: string[];
  serves(path: string): boolean;
}

/**
 * Methods of every path, for requests without a matching route: OPTIONS, 405 or 404. Built from the
 * router when all routes are registered.
 */
export class RouteTable {
  private readonly routes: KnownRoute[];
  /** Method and path of the routes without any parameter, which need no search. */
  private readonly fixed = new Set<string>();

  constructor(stack: readonly RouterLayer[], fixedPaths: FixedPaths) {
    this.routes = stack.flatMap((layer) =>
      layer.route === undefined ? [] : [toKnownRoute(layer, layer.route, fixedPaths)],
    );
    for (const { methods, patterns } of this.routes) {
      for (const path of patterns.filter((pattern) => !/[:*]/.test(pattern))) {
        for (const method of methods) this.fixed.add(`${method} ${path}`);
      }
    }
  }

  /** Returns true if a route exists for the request's path and method. */
  hasRoute({ path, method }: Pick<Request, 'path' | 'method'>): boolean {
    if (this.fixed.has(`${method} ${path}`)) return true;
    return this.routes.some((route) => route.methods.includes(method) && route.serves(path));
  }

  /** Returns the value of the Allow header for a path, or null when no route matches. */
  allowedMethods(path: string): string | null {
    const methods = new Set(
      this.routes.filter((route) => route.serves(path)).flatMap((route) => route.methods),
    );
    if (methods.size === 0) return null;
    return ['OPTIONS', ...ORDER.filter((method) => methods.has(method))].join(', ');
  }

  /** Returns the error for a request without a matching route (RFC 9110 §15.5.6). */
  errorFor(request: Request): ApiError {
    const allow = this.allowedMethods(request.path);
    if (allow === null) return new RouteNotFoundError();
    return new ApiError(405, { error: '405 Not Allowed' }, { headers: { Allow: allow } });
  }
}

function toKnownRoute(
  layer: RouterLayer,
  { path: pattern, methods }: NonNullable<RouterLayer['route']>,
  fixedPaths: FixedPaths,
): KnownRoute {
  const patterns = [pattern].flat();
  const isOpen = patterns.some(hasWildcard);
  const others = patterns.flatMap((text) =>
    (Object.keys(methods) as RouteMethod[]).map((method) => fixedPaths.pathsBesides(method, text)),
  );
  return {
    patterns,
    methods: methodsOf(methods),
    serves: (path) =>
      Boolean(layer.match(path)) &&
      !(isOpen && isApiPath(path)) &&
      !others.some((isOther) => isOther?.(path)),
  };
}

function methodsOf(methods: Record<string, boolean>): string[] {
  const names = Object.keys(methods).map((name) => name.toUpperCase());
  return names.includes('GET') ? [...names, 'HEAD'] : names;
}

/**
 * Keeps parameters from matching fixed paths: `/snippets/all` is never the snippet `all`, even for
 * methods that only `/snippets/:id` has.
 */
export class FixedPaths {
  private readonly methods = new Map<string, Set<string>>();

  add(method: RouteMethod, pattern: string): void {
    const known = this.methods.get(pattern) ?? new Set();
    this.methods.set(pattern, known.add(method));
  }

  /**
   * Returns a test for the paths that a route must not match, or null when its pattern covers no
   * other.
   */
  pathsBesides(method: RouteMethod, pattern: string): ((path: string) => boolean) | null {
    const steps = pattern.split('/');
    const fixed = [...this.methods]
      .filter(([, methods]) => !methods.has(method))
      .map(([other]) => other.split('/'))
      .filter((other) => covers(steps, other) && !covers(other, steps));
    if (fixed.length === 0) return null;
    return (path) => {
      const given = path.split('/');
      return fixed.some((other) => covers(other, given));
    };
  }
}

function covers(pattern: readonly string[], steps: readonly string[]): boolean {
  return (
    pattern.length === steps.length &&
    pattern.every((step, at) => step.startsWith(':') || step === steps[at])
  );
}

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
function hasWildcard(path: string): boolean {
  return path.includes('/*') || path.startsWith('/:');
}

/** Returns true for paths of the API, which are never pages, even if a wildcard matches. */
function isApiPath(path: string): boolean {
  return dialectOf(path) !== 'page';
}

/**
 * Routes at the root of the site, registered after those of the API: the router tries routes in
 * order, and API requests are more frequent.
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
   * Express middleware that handles requests for fixed paths, such as those of OAuth, without
   * trying other routes. Other spellings of a path go through the router.
   */
  readonly handleFixed: RequestHandler = (request, response, next) => {
    const handler = this.fixed.get(`${request.method} ${request.path}`);
    if (handler === undefined) next();
    else handler(request, response, next);
  };

  /** Returns the routes in matching order: the most specific first. */
  inOrder(): PageRoute[] {
    const fixed = this.routes.filter(({ path }) => !hasWildcard(path));
    const open = this.routes
      .filter(({ path }) => hasWildcard(path))
      .map((route) => ({ ...route, handler: withoutApiPaths(route.handler) }));
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

function withoutApiPaths(handler: RequestHandler): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) =>
    isApiPath(request.path) ? next() : handler(request, response, next);
}
