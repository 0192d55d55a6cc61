import { SetMetadata } from '@nestjs/common';
import { Router, type Request, type RequestHandler, type Response } from 'express';

export const RAW_BODY_KEY = 'guildhall:raw body';

/**
 * Marks a route at the root of the site that reads the body of a request itself, as it arrives, or
 * not at all. It is matched before bodies are parsed and before all routes without this decorator.
 */
export const RawBody = (): MethodDecorator => SetMetadata(RAW_BODY_KEY, true);

/** Returns whether the handler, which carries its method's metadata, is that of such a route. */
export function hasRawBody(handler: RequestHandler): boolean {
  return Reflect.getMetadata(RAW_BODY_KEY, handler) === true;
}

interface RawBodyRoute {
  /** A method in lower case, or `all`. */
  method: string;
  path: string;
  handler: RequestHandler;
}

/** Paths of our own, below which there are no projects; routes that begin with one are left out. */
const OWN_PATH = /^\/(?:api|oauth)\/|\/-(?:\/|$)/;

/** Routes with `@RawBody`. */
export class RawBodyRoutes {
  private readonly routes: RawBodyRoute[] = [];
  private readonly own = Router({ caseSensitive: true });
  private readonly open = Router({ caseSensitive: true });
  /** Prefix of the paths of `own`. */
  private readonly prefixes = new Set<string>();

  add(route: RawBodyRoute): void {
    this.routes.push(route);
  }

  /** Registers them when all are known: what ends in a wildcard takes what the others leave. */
  register(): void {
    const isOpenEnded = ({ path }: RawBodyRoute): boolean => /\*\w+$/.test(path);
    const first = this.routes.filter((route) => !isOpenEnded(route));
    for (const route of [...first, ...this.routes.filter(isOpenEnded)]) {
      const { path } = route;
      const isOpen = /^\/[:*]/.test(path);
      if (!isOpen) this.prefixes.add(path.split(/[:*]/, 1)[0] ?? '');
      // With `all` the router never answers OPTIONS by itself.
      (isOpen ? this.open : this.own).all(path, onlyFor(route));
    }
  }

  /** Express middleware. */
  readonly handle: RequestHandler = (request, response, next) => {
    const { path } = request;
    if (!OWN_PATH.test(path)) this.open(request, response, next);
    else if (this.hasPrefix(path)) this.own(request, response, next);
    else next();
  };

  private hasPrefix(path: string): boolean {
    for (const prefix of this.prefixes) if (path.startsWith(prefix)) return true;
    return false;
  }
}

function onlyFor({ method, handler }: RawBodyRoute): RequestHandler {
  if (method === 'all') return handler;
  const name = method.toUpperCase();
  return (request: Request, response: Response, next) =>
    request.method === name ? handler(request, response, next) : next();
}
