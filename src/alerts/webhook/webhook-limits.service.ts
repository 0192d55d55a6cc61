import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { clientAddress } from '../../core/rate-limits/client-address.js';
import { ThrottledError } from '../../core/rate-limits/limit-errors.js';
import { NAMED_LIMITS } from '../../core/rate-limits/named-limits.js';
import { RateLimiter } from '../../core/rate-limits/rate-limiter.service.js';
import { isOver, showTally } from '../../core/rate-limits/tally.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';

/** The limit on webhook calls of each project (API doc, Limits). */
@Injectable()
export class WebhookLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
  ) {}

  /** Counts a call for the project. Throws 429. */
  async count(projectId: number, request: Request, response: Response): Promise<void> {
    if (!this.limiter.enabled) return;
    const sender = {
      user: null,
      address: clientAddress(request.ip),
      containerId: String(projectId),
    };
    const measure = NAMED_LIMITS.webhooks(this.settings.values, sender);
    if (measure === null) return;
    const tally = await this.limiter.count(measure.limit, measure.who);
    if (tally === null) return;
    if (isOver(tally)) throw new ThrottledError(tally);
    showTally(response, tally);
  }
}
