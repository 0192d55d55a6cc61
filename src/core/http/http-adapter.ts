import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { HttpResponse } from './http-response.js';
import { isBodyRead } from './body.middleware.js';
import { rootPathOf } from './paths.js';
import { hasRawBody, RawBodyRoutes } from './raw-bodies.js';
import { RouteTree } from './route-tree.js';
import { parseForm } from './form-params.js';
import { sendResponse, sendBody } from './send-response.js';
import { UnparsedRequests } from './connections.js';

const SERVER_OPTIONS = {
  // Pushes and clones take as long as they take; bodies of the API have a deadline of their own.
  requestTimeout: 0,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  // Longer than the usual 60 s of a proxy in front, so that the proxy is the one to hang up.
  keepAliveTimeout: 75_000,
  // Allows long URLs through the parser, so that they receive our own 414.
  maxHeaderSize: 128 * 1024,
  insecureHTTPParser: false,
};

/** Arguments of the methods by which Nest adds a route. */
type Registration = [handler: RequestHandler] | [path: string, handler: RequestHandler];

/** An Express application as far as its own type does not tell. */
type ExpressInternals = Express & { router: { caseSensitive: boolean } };

/**
 * Express as Nest's platform, without the price of its prototypes.
 *
 * Express gives each request and response another prototype by `Object.setPrototypeOf`, which
 * makes every later property access slow on Node 20. Here the server constructs instances of
 * classes whose prototypes are those of the application, so that this call changes nothing. A bare
 * application answers in a quarter of the CPU time on Node 20, and in the same on Node 24.
 */
export class HttpAdapter extends ExpressAdapter {
  /** Complete as soon as requests come. */
  readonly routes = new RouteTree();
  private readonly rawBodies = new RawBodyRoutes();

  /** Express middleware that lets routes with `@RawBody` answer, for use before bodies are read. */
  readonly handleRawBodies: RequestHandler = this.rawBodies.handle;

  /**
   * Express middleware that refuses requests whose path or method no route knows, for use before
   * their bodies are read: that work would be anyone's for the asking.
   */
  readonly refuseUnroutedBodies = (request: Request, _: Response, next: NextFunction): void => {
    const isUnrouted = isBodyRead(request) && this.routes.find(request) === null;
    next(isUnrouted ? this.routes.errorFor(request) : undefined);
  };

  /**
   * Express middleware that lets the route of a request answer. OPTIONS on a known path is 204;
   * everything else without a route is 405 or 404.
   */
  readonly handleRoutes: RequestHandler = (request, response, next) => {
    const found = this.routes.find(request);
    if (found !== null) {
      request.params = found.params;
      request.route = found.route;
      return found.route.handler(request, response, next);
    }
    const isOptions = request.method === 'OPTIONS';
    const allow = isOptions ? this.routes.allowedMethods(request.path) : null;
    if (allow === null) {
      next(this.routes.errorFor(request));
      return;
    }
    response.setHeader('Allow', allow);
    sendBody(response, 204, undefined);
  };

  constructor() {
    super();
    const app = this.getInstance<ExpressInternals>();
    app.router.caseSensitive = true;
    // Keeps stack traces out of the answer if ever our own error filter fails.
    app.set('env', 'production');
    app.disable('x-powered-by');
    app.disable('etag');
    cacheParsedQuery(app.request);
  }

  /**
   * Adds middleware that runs these steps one after the other. As layers of Express' router they would
   * each cost a match of the path. Like a layer it passes on what a step throws or rejects with.
   */
  useInOrder(steps: readonly RequestHandler[]): void {
    this.use((request: Request, response: Response, done: NextFunction) => {
      let at = 0;
      const next: NextFunction = (error?: unknown) => {
        const step = error === undefined ? steps[at++] : undefined;
        if (step === undefined) {
          done(error);
          return;
        }
        try {
          const result: unknown = step(request, response, next);
          if (result instanceof Promise) result.catch(done);
        } catch (thrown) {
          done(thrown);
        }
      };
      next();
    });
  }

  override initHttpServer(): void {
    const app = this.getInstance<ExpressInternals>();
    const unparsed = new UnparsedRequests();
    class ExpressRequest extends IncomingMessage {}
    class ExpressResponse extends ServerResponse {
      constructor(...args: ConstructorParameters<typeof ServerResponse>) {
        super(...args);
        unparsed.note(args[0], this);
      }
    }
    // The two prototypes inherit Express's methods and take the place of its own.
    app.request = Object.setPrototypeOf(ExpressRequest.prototype, app.request) as Request;
    app.response = Object.setPrototypeOf(ExpressResponse.prototype, app.response) as Response;
    const classes = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
    this.httpServer = createServer({ ...SERVER_OPTIONS, ...classes }, app);
    this.httpServer.on('clientError', unparsed.answer);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof HttpResponse) {
      if (body.body instanceof Promise) return this.replyLater(response, body, body.body);
      sendResponse(response, body);
      return response;
    }
    if (body instanceof StreamableFile) {
      return super.reply(response, body, statusCode) as unknown;
    }
    sendBody(response, statusCode ?? response.statusCode, body);
    return response;
  }

  private async replyLater(
    response: Response,
    { status, headers }: HttpResponse,
    body: Promise<unknown>,
  ): Promise<void> {
    sendResponse(response, new HttpResponse(status, (await body) as string, headers));
  }

  override get(...route: Registration): void {
    this.addRoute('GET', route);
  }

  override post(...route: Registration): void {
    this.addRoute('POST', route);
  }

  override put(...route: Registration): void {
    this.addRoute('PUT', route);
  }

  override patch(...route: Registration): void {
    this.addRoute('PATCH', route);
  }

  override delete(...route: Registration): void {
    this.addRoute('DELETE', route);
  }

  override all(...route: Registration): void {
    this.addRoute('ALL', route);
  }

  /** `handleRoutes` refuses what no route takes. */
  override setNotFoundHandler(): void {
    this.rawBodies.register();
  }

  private addRoute(method: string, route: Registration): void {
    const [path, plainHandler] = route;
    if (typeof path !== 'string' || plainHandler === undefined) {
      throw new Error('A route needs a path');
    }
    const rootPath = rootPathOf(path);
    const handler = withRouteName(rootPath ?? path, plainHandler);
    if (rootPath !== null && hasRawBody(plainHandler)) {
      this.rawBodies.add({ method, path: rootPath, handler });
      return;
    }
    if (method === 'ALL') throw new Error(`@All needs @RawBody: ${path}`);
    this.routes.add({ method, path: rootPath ?? path, handler });
  }
}

/** Express parses the query at each access; this parses it once, by our own rules. */
function cacheParsedQuery(prototype: object): void {
  const parsed = new WeakMap<Request, object>();
  Object.defineProperty(prototype, 'query', {
    configurable: true,
    get(this: Request): object {
      const known = parsed.get(this);
      if (known !== undefined) return known;
      const at = this.url.indexOf('?');
      const query = at === -1 ? {} : parseForm(this.url.slice(at + 1));
      parsed.set(this, query);
      return query;
    },
  });
}

/** Returns the handler of a route so that `routeOf` knows the route of its requests. */
function withRouteName(route: string, handler: RequestHandler): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    response.locals['route'] = route;
    return handler(request, response, next);
  };
}

/** Returns the route that handled the request, as `/api/v4/projects/:id`; undefined if none has. */
export function routeOf({ locals }: Partial<Pick<Response, 'locals'>>): string | undefined {
  return locals?.['route'] as string | undefined;
}
