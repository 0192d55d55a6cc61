import type { IncomingMessage, ServerResponse } from 'node:http';
import { SetMetadata } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { match, type MatchFunction } from 'path-to-regexp';
import { decodedPath } from '../params/coerce.js';

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
  /** In upper case; `ALL` for every method. */
  method: string;
  path: string;
  handler: RequestHandler;
}

interface MatchedRoute {
  /** In upper case; null for every method. */
  method: string | null;
  /** Longest text between the parameters; to search for it costs less than to match the pattern. */
  literal: string;
  match: MatchFunction<Request['params']>;
  handler: RequestHandler;
}

/** Paths of our own, below which there are no projects; routes that begin with one are left out. */
const OWN_PATH = /^\/(?:api|oauth)\/|\/-(?:\/|$)/;

/** Routes with `@RawBody`. Not an Express router, because that responds to OPTIONS automatically. */
export class RawBodyRoutes {
  private readonly routes: RawBodyRoute[] = [];
  private own: MatchedRoute[] = [];
  private open: MatchedRoute[] = [];
  /** Common prefixes of the paths of `own`. */
  private prefixes: string[] = [];

  add(route: RawBodyRoute): void {
    this.routes.push(route);
  }

  /** Orders them when all are known: what ends in a wildcard takes what the others leave. */
  register(): void {
    const isOpenEnded = ({ path }: RawBodyRoute): boolean => /\*\w+$/.test(path);
    const isOpen = ({ path }: RawBodyRoute): boolean => /^\/[:*]/.test(path);
    const first = this.routes.filter((route) => !isOpenEnded(route));
    const ordered = [...first, ...this.routes.filter(isOpenEnded)];
    const own = ordered.filter((route) => !isOpen(route));
    this.own = own.map(toMatched);
    this.open = ordered.filter(isOpen).map(toMatched);
    this.prefixes = [...new Set(own.map(({ path }) => path.split(/[:*]/, 1)[0] ?? ''))];
  }

  /** Express middleware. */
  readonly handle: RequestHandler = (request, response, next) => {
    const { path } = request;
    const isOwn = OWN_PATH.test(path);
    if (isOwn && !this.prefixes.some((prefix) => path.startsWith(prefix))) return next();
    return askFrom(0, isOwn ? this.own : this.open, { request, response, next });
  };
}

/**
 * Lets the first of the routes answer that takes the request; those after it when it passes. Returns
 * what its handler returned, which may be rejected.
 */
function askFrom(
  start: number,
  routes: readonly MatchedRoute[],
  exchange: { request: Request; response: Response; next: NextFunction },
): unknown {
  const { request, response, next } = exchange;
  const { method, path } = request;
  for (const [at, route] of routes.entries()) {
    if (at < start || (route.method !== null && route.method !== method)) continue;
    if (!path.includes(route.literal)) continue;
    const found = route.match(path);
    if (found === false) continue;
    request.params = found.params;
    return route.handler(request, response, (error?: unknown) => {
      if (error === undefined) Promise.resolve(askFrom(at + 1, routes, exchange)).catch(next);
      else next(error);
    });
  }
  return next();
}

function toMatched({ method, path, handler }: RawBodyRoute): MatchedRoute {
  return {
    method: method === 'ALL' ? null : method,
    literal: path
      .split(/[:*]\w+/)
      .reduce((one, other) => (other.length > one.length ? other : one)),
    match: match(path, { sensitive: true }),
    handler,
  };
}

/** A client that needs longer than this to send a body keeps a connection for nothing. */
const DEADLINE_MS = 30_000;
/** For so long a refused client can go on sending until it reads its response. */
const DRAIN_MS = 2_000;

type Wire = Pick<
  IncomingMessage,
  'headers' | 'complete' | 'destroyed' | 'on' | 'once' | 'off' | 'resume'
>;

/** The maximum size of a body, and refusals in the form that the clients of the endpoint read. */
export interface BodyRules {
  limit: number;
  tooLarge(): Error;
  incomplete(): Error;
  tooSlow(): Error;
}

/**
 * Passes the body on as it arrives, still compressed. Rejects with what `sink` throws and with the
 * refusals of the rules: above the limit, when the client disconnects, and after 30 seconds. The
 * rest of the body is then discarded.
 */
export function readStream(
  request: Wire,
  rules: BodyRules,
  sink: (chunk: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > rules.limit) {
      reject(rules.tooLarge());
      return;
    }
    let size = 0;
    const settle = (finish: () => void): void => {
      clearTimeout(deadline);
      request.off('data', take);
      request.off('close', incomplete);
      finish();
    };
    const fail = (error: unknown): void => {
      settle(() => {
        request.resume();
        reject(error instanceof Error ? error : new Error(String(error)));
      });
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      try {
        if (size > rules.limit) throw rules.tooLarge();
        sink(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const deadline = setTimeout(() => fail(rules.tooSlow()), DEADLINE_MS);
    const incomplete = (): void => fail(rules.incomplete());
    request.once('end', () => settle(resolve));
    request.once('error', incomplete);
    request.once('close', incomplete);
    if (request.destroyed) incomplete();
    else request.on('data', take);
  });
}

/**
 * Lets a client that was refused while it was sending read its response, and closes the connection
 * if it goes on sending for more than a moment.
 */
export function drainBriefly(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  request.resume();
  const cut = setTimeout(() => request.destroy(), DRAIN_MS).unref();
  const keep = (): void => clearTimeout(cut);
  request.once('end', keep);
  response.once('close', () => {
    if (request.complete) keep();
  });
}

/** The two short forms, and the one that names an integration; `.json` is optional in each. */
const WEBHOOK =
  /^\/([^/]+(?:\/[^/]+)+?)(\/prometheus)?\/alerts\/notify(?:\/[^/]+\/([A-Za-z0-9]+))?(?:\.json)?$/;

/** Parts of an alert webhook's path. */
export interface WebhookPath {
  /** Full path of the project, as in the address, decoded. */
  project: string;
  /** True if the path has the segment `prometheus` before `alerts`. */
  isMonitoring: boolean;
  /** null in the short forms. */
  identifier: string | null;
}

/** Reads the path of a URL; null when it is not that of an alert webhook. */
export function parseWebhookPath(path: string): WebhookPath | null {
  // Keeps the many other requests away from the pattern.
  if (!path.includes('/alerts/notify') || OWN_PATH.test(path)) return null;
  const [, project, monitoring, identifier = null] = WEBHOOK.exec(path) ?? [];
  if (project === undefined) return null;
  const decoded = project.includes('%') ? decodedPath(project) : project;
  return {
    // A path that is not UTF-8 does not exist; looking it up finds nothing.
    project: decoded ?? project,
    isMonitoring: monitoring !== undefined,
    identifier,
  };
}
