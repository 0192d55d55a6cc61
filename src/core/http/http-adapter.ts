import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { HttpResponse } from './http-response.js';
import { isBodyRead } from './body.middleware.js';
import {
  FixedPaths,
  PageRoutes,
  ROUTE_METHODS,
  type RouteMethod,
  RouteTable,
  type RouterLayer,
} from './route-table.js';
import { parseForm } from './form-params.js';
import { hasRawBody, RawBodyRoutes } from './raw-body-routes.js';
import { sendResponse, sendBody } from './send-response.js';
import { rootPathOf } from './root-path.js';
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

/** An Express application as far as its own type does not tell. */
type ExpressInternals = Express & { router: { stack: RouterLayer[]; caseSensitive: boolean } };

interface ApiRoute {
  method: RouteMethod;
  path: string;
  handler: RequestHandler;
}

/**
 * Express as Nest's platform, without the price of its prototypes.
 *
 * Express gives each request and response another prototype by `Object.setPrototypeOf`, which
 * makes every later property access slow on Node 20. Here the server constructs instances of
 * classes whose prototypes are those of the application, so that this call changes nothing. A bare
 * application answers in a quarter of the CPU time on Node 20, and in the same on Node 24.
 */
export class HttpAdapter extends ExpressAdapter {
  private table: RouteTable | undefined;
  private readonly rawBodies = new RawBodyRoutes();
  private readonly pages = new PageRoutes();
  private readonly fixedPaths = new FixedPaths();

  /** Express middleware that lets routes with `@RawBody` answer, for use before bodies are read. */
  readonly handleRawBodies: RequestHandler = this.rawBodies.handle;

  /**
   * Express middleware that refuses requests whose path or method no route knows, for use before
   * their bodies are read: that work would be anyone's for the asking.
   */
  readonly refuseUnroutedBodies = (request: Request, _: Response, next: NextFunction): void => {
    const isUnrouted = isBodyRead(request) && !this.routes.hasRoute(request);
    next(isUnrouted ? this.routes.errorFor(request) : undefined);
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
    this.registerPagesLast(app);
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

  /** OPTIONS on a known path is 204; everything else that no route took is 405 or 404. */
  override setNotFoundHandler(): void {
    const app = this.getInstance<ExpressInternals>();
    this.rawBodies.register();
    for (const { method, path, handler } of this.pages.inOrder()) app[method](path, handler);
    app.use((request: Request, response: Response, next: NextFunction) => {
      const isOptions = request.method === 'OPTIONS';
      const allow = isOptions ? this.routes.allowedMethods(request.path) : null;
      if (allow === null) {
        next(this.routes.errorFor(request));
        return;
      }
      response.setHeader('Allow', allow);
      sendBody(response, 204, undefined);
    });
  }

  /** Routes at the root of the site wait until those of the API are registered. */
  private registerPagesLast(app: ExpressInternals): void {
    let isFirst = true;
    for (const method of ROUTE_METHODS) {
      const register = (path: string, handler: RequestHandler): void => {
        const rootPath = rootPathOf(path);
        if (rootPath !== null && hasRawBody(handler)) {
          this.rawBodies.add({ method, path: rootPath, handler });
          return;
        }
        // Behind all middleware, before all other routes.
        if (isFirst) app.use(this.pages.handleFixed);
        isFirst = false;
        if (rootPath === null) this.addApiRoute(app, { method, path, handler });
        else this.pages.add({ method, path: rootPath, handler });
      };
      Object.assign(this, { [method]: register });
    }
    Object.assign(this, { all: this.addForAllMethods });
  }

  private readonly addForAllMethods = (path: string, handler: RequestHandler): void => {
    const rootPath = rootPathOf(path);
    if (rootPath === null || !hasRawBody(handler)) throw new Error(`@All needs @RawBody: ${path}`);
    this.rawBodies.add({ method: 'all', path: rootPath, handler });
  };

  private addApiRoute(app: Express, { method, path, handler }: ApiRoute): void {
    this.fixedPaths.add(method, path);
    const isOther = this.fixedPaths.pathsBesides(method, path);
    if (isOther === null) {
      app[method](path, handler);
      return;
    }
    app[method](path, (request: Request, response: Response, next: NextFunction) =>
      isOther(request.path) ? next() : handler(request, response, next),
    );
  }

  /** Complete as soon as requests come. */
  private get routes(): RouteTable {
    this.table ??= new RouteTable(
      this.getInstance<ExpressInternals>().router.stack,
      this.fixedPaths,
    );
    return this.table;
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
