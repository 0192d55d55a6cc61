import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { decodedPath } from '../params/path-text.js';
import { InstanceSettings } from '../settings/instance-settings.service.js';
import { countedByAddress } from './client-address.js';
import { RateLimiter } from './rate-limiter.service.js';
import type { Limit } from './tally.js';
import { throttle } from './throttles.js';

const READS = new Set(['GET', 'HEAD']);
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Stricter limit of the paths where passwords can be guessed and emails requested, by address:
 * `protected_paths` for unsafe methods, `protected_paths_for_get_request` for GET, counted
 * separately. Runs before any body is read, and also for paths without a route. Guesses at the
 * OAuth endpoints are limited there: applications send requests of many users from one address.
 */
@Injectable()
export class ProtectedPaths {
  /** Each list in its one spelling, as long as the setting stays as it is. */
  private readonly known = new WeakMap<readonly string[], readonly string[]>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
  ) {}

  /** Express middleware; refuses with 429. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    const limit = this.limiter.enabled ? this.limitOf(request) : null;
    if (limit === null) {
      next();
      return;
    }
    this.limiter.enforce(limit, countedByAddress(request), response).then(() => next(), next);
  };

  private startsOf(list: readonly string[]): readonly string[] {
    const starts = this.known.get(list) ?? list.map(plainPath);
    this.known.set(list, starts);
    return starts;
  }

  private limitOf({ method, path }: Request): Limit | null {
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
