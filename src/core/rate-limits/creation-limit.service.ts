import { Injectable } from '@nestjs/common';
import { InstanceSettings } from '../settings/instance-settings.service.js';
import { NAMED_LIMITS } from './named-limits.js';
import { RateLimiter } from './rate-limiter.service.js';
import { isOver } from './tally.js';

/** Applies `@RateLimit('create')` to work that does not arrive as an API request. */
@Injectable()
export class CreationLimit {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
  ) {}

  /** Counts one creation by the user; returns true once the limit is exceeded. */
  async isExceededBy(user: { id: number; admin: boolean }): Promise<boolean> {
    if (!this.limiter.enabled) return false;
    const sender = { user, address: '', containerId: '' };
    const measure = NAMED_LIMITS.create(this.settings.values, sender);
    const tally = measure === null ? null : await this.limiter.count(measure.limit, measure.who);
    return tally !== null && isOver(tally);
  }
}
