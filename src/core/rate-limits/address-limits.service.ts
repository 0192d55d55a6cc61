import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../errors.js';
import { hasBody } from '../http/body.middleware.js';
import { decodedPath } from '../params/coerce.js';
import { InstanceSettings } from '../settings/instance-settings.service.js';
import { countedByAddress } from '../http/request-address.js';
import { RateLimiter } from './rate-limiter.service.js';
import { ThrottledError, type Limit } from './tally.js';
import { throttle } from './named-limits.js';

const READS = new Set(['GET', 'HEAD']);
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/** Limits by IP address that apply before a request is routed and authenticated. */
@Injectable()
export class AddressLimits {
  /** Each list in its one spelling, as long as the setting stays as it is. */
  private readonly known = new WeakMap<readonly string[], readonly string[]>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
  ) {}

  /**
   * Express middleware with a stricter limit of the paths where passwords can be guessed and emails
   * requested: `protected_paths` for unsafe methods, `protected_paths_for_get_request` for GET,
   * counted separately, also without a route. Guesses at the OAuth endpoints are limited there:
   * applications send requests of many users from one address.
   */
  readonly limitProtectedPaths = (
    request: Request,
    response: Response,
    next: NextFunction,
  ): void => {
    const limit = this.limiter.enabled ? this.pathLimit(request) : null;
    if (limit === null) {
      next();
      return;
    }
    this.limiter.enforce(limit, countedByAddress(request), response).then(() => next(), next);
  };

  /**
   * Returns the middleware `read` with a limit of unreadable bodies around it. Reading a body is the
   * most expensive work for an anonymous client, and an unreadable one is refused before
   * authentication. Above the limit bodies of the address are refused unread.
   */
  limitUnreadableBodies(read: Middleware): Middleware {
    return (request, response, next) => {
      const limit = this.bodyLimit(request);
      if (limit === null) {
        read(request, response, next);
        return;
      }
      const who = countedByAddress(request);
      const tally = this.limiter.exceededBy(limit, who);
      if (tally !== null) {
        next(new ThrottledError(tally));
        return;
      }
      read(request, response, (error?: unknown) => {
        const passOn = (): void => next(error);
        if (error instanceof ApiError) this.limiter.count(limit, who).then(passOn, passOn);
        else passOn();
      });
    };
  }

  private bodyLimit(request: Request): Limit | null {
    if (!hasBody(request) || !this.limiter.enabled) return null;
    return throttle(this.settings.values, 'unauthenticated_api', 'throttle_unreadable_bodies');
  }

  private startsOf(list: readonly string[]): readonly string[] {
    const starts = this.known.get(list) ?? list.map(plainPath);
    this.known.set(list, starts);
    return starts;
  }

  private pathLimit({ method, path }: Request): Limit | null {
    const settings = this.settings.values;
    if (READS.has(method)) {
      if (!isBelow(path, this.startsOf(settings.protected_paths_for_get_request))) return null;
      return throttle(settings, 'protected_paths', 'throttle_unauthenticated_get_protected_paths');
    }
    if (!WRITES.has(method)) return null;
    if (!isBelow(path, this.startsOf(settings.protected_paths))) return null;
    return throttle(settings, 'protected_paths', 'throttle_unauthenticated_protected_paths');
  }
}

/** Returns true if the path is one of those or below one, in any spelling. */
function isBelow(path: string, starts: readonly string[]): boolean {
  const plain = plainPath(path);
  return starts.some(
    (start) => plain === start || plain.startsWith(`${start}/`) || plain.startsWith(`${start}.`),
  );
}

/** One spelling for all that a router can take for the same path. */
function plainPath(path: string): string {
  const decoded = path.includes('%') ? decodedPath(path) : path;
  return (decoded ?? path)
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '');
}
