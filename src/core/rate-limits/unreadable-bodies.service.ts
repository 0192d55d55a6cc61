import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ApiError } from '../errors.js';
import { hasBody } from '../http/body.middleware.js';
import { InstanceSettings } from '../settings/instance-settings.service.js';
import { countedByAddress } from './client-address.js';
import { ThrottledError } from './limit-errors.js';
import { RateLimiter } from './rate-limiter.service.js';
import type { Limit } from './tally.js';
import { throttle } from './throttles.js';

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/**
 * Limits requests with unreadable bodies per IP address. Reading a body is the most expensive work
 * for an anonymous client, and an unreadable one is refused before authentication. Above the limit
 * of anonymous requests, bodies of the address are refused unread.
 */
@Injectable()
export class UnreadableBodies {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
  ) {}

  /** The middleware `read` with the limit around it. */
  limit(read: Middleware): Middleware {
    return (request, response, next) => {
      const limit = this.limitOf(request);
      const tally =
        limit === null ? null : this.limiter.exceededBy(limit, countedByAddress(request));
      if (tally !== null) {
        next(new ThrottledError(tally));
        return;
      }
      read(request, response, (error?: unknown) => {
        const passOn = (): void => next(error);
        if (limit === null || !(error instanceof ApiError)) passOn();
        else this.limiter.count(limit, countedByAddress(request)).then(passOn, passOn);
      });
    };
  }

  private limitOf(request: Request): Limit | null {
    if (!hasBody(request) || !this.limiter.enabled) return null;
    return throttle(this.settings.values, 'unauthenticated_api', 'throttle_unreadable_bodies');
  }
}
