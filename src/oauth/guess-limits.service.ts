import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { countedByAddress } from '../core/rate-limits/client-address.js';
import { ThrottledError } from '../core/rate-limits/limit-errors.js';
import { RateLimiter } from '../core/rate-limits/rate-limiter.service.js';
import { isOver, type Limit } from '../core/rate-limits/tally.js';
import { throttle } from '../core/rate-limits/throttles.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { OAuthError } from './oauth-errors.js';

/**
 * Stops an address that guesses secrets, codes or tokens, together with what it guesses at the API
 * (RFC 6819 §4.3.5, §4.6.3).
 */
@Injectable()
export class GuessLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
  ) {}

  /** Answers what `work` does. Throws 429 to an address that has guessed too often. */
  async watch<T>(request: Request, work: () => Promise<T>): Promise<T> {
    const limit = this.limiter.enabled ? this.limit() : null;
    if (limit === null) return work();
    const known = this.limiter.exceededBy(limit, countedByAddress(request));
    if (known !== null) throw new ThrottledError(known);
    try {
      return await work();
    } catch (error) {
      if (error instanceof OAuthError && error.isGuess) await this.count(limit, request);
      throw error;
    }
  }

  private async count(limit: Limit, request: Request): Promise<void> {
    const tally = await this.limiter.count(limit, countedByAddress(request));
    if (tally !== null && isOver(tally)) throw new ThrottledError(tally);
  }

  private limit(): Limit | null {
    const { values } = this.settings;
    return throttle(values, 'unauthenticated_api', 'throttle_failed_authentication');
  }
}
