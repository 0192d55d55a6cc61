import type { Request } from 'express';
import { ApiError, RouteNotFoundError } from '../errors.js';
import type { FixedPaths } from './fixed-paths.js';
import { hasWildcard, isApiPath, type RouteMethod } from './page-routes.js';

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
 * Knows the methods of every path, for requests that no route took: OPTIONS, 405 or 404.
 * Built from the router when all routes are registered.
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
  takes({ path, method }: Pick<Request, 'path' | 'method'>): boolean {
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

  /** The refusal for a request that no route took (RFC 9110 §15.5.6: 405 names the methods). */
  refusal(request: Request): ApiError {
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
    (Object.keys(methods) as RouteMethod[]).map((method) => fixedPaths.besides(method, text)),
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
