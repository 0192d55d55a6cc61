import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../clock.js';
import { InstanceSettings } from '../settings/instance-settings.service.js';
import { ThrottledError, isOver, showTally, windowOf, type Limit, type Tally } from './tally.js';
import { NAMED_LIMITS } from './named-limits.js';
import { RateStore } from './rate-store.service.js';

const MAX_EXCEEDED = 10_000;

/**
 * Counts requests in windows that follow the clock (`now - now % period`), the same for all
 * processes. Clients over a limit are remembered until the window ends, so that a flood costs
 * neither a call of Redis nor a query.
 */
@Injectable()
export class RateLimiter {
  /** false = RATE_LIMITS is off, nothing is to be counted. */
  readonly enabled: boolean;
  /** Counts above their limit, by key; compared again when a limit was raised. */
  private readonly exceeded = new LRUCache<string, number>({ max: MAX_EXCEEDED });

  constructor(
    private readonly counters: RateStore,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
    @Inject(CONFIG) config: Config,
  ) {
    this.enabled = config.rateLimits;
  }

  /** Counts one request of `who`; null when it could not be counted and therefore goes on. */
  async count(limit: Limit, who: string): Promise<Tally | null> {
    const { key, tally } = windowOf(limit, who, this.clock.now());
    const known = this.exceeded.get(key) ?? 0;
    if (known > limit.requests) {
      this.exceeded.set(key, known + 1);
      return { ...tally, observed: known + 1 };
    }
    const observed = await this.counters.add(key, limit.seconds);
    if (observed === null) return null;
    const counted = { ...tally, observed };
    if (isOver(counted)) this.exceeded.set(key, observed);
    return counted;
  }

  /** Counts one request of `who` and shows the tally on the response. Throws 429 above the limit. */
  async enforce(limit: Limit, who: string, response: Response): Promise<void> {
    const tally = await this.count(limit, who);
    if (tally === null) return;
    if (isOver(tally)) throw new ThrottledError(tally);
    showTally(response, tally);
  }

  /** Counts a creation that is no API request; returns true above the limit of `@RateLimit('create')`. */
  async isCreationExceededBy(user: { id: number; admin: boolean }): Promise<boolean> {
    if (!this.enabled) return false;
    const sender = { user, address: '', containerId: '' };
    const measure = NAMED_LIMITS.create(this.settings.values, sender);
    const tally = measure === null ? null : await this.count(measure.limit, measure.who);
    return tally !== null && isOver(tally);
  }

  /** Returns the tally of a client that is known to exceed the limit, without counting; else null. */
  exceededBy(limit: Limit, who: string): Tally | null {
    if (this.exceeded.size === 0) return null;
    const { key, tally } = windowOf(limit, who, this.clock.now());
    const counted = { ...tally, observed: this.exceeded.get(key) ?? 0 };
    return isOver(counted) ? counted : null;
  }
}
