import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../core/rate-limits/rate-limiter.service.js';
import { isOver, type Limit } from '../../core/rate-limits/tally.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { IngestError } from './ingest-error.js';

const MINUTE = 60;
const HOUR = 3_600;

/** Rate limits of client keys and projects, from the instance settings; 0 is unlimited. */
@Injectable()
export class CollectorLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly settings: InstanceSettings,
  ) {}

  /** false when nothing is to be counted. */
  get enabled(): boolean {
    return this.limiter.enabled;
  }

  /** Counts a request of a key, or of an address that has named none yet. Throws 429. */
  countRequest(who: string): Promise<void> {
    return this.count(this.requestsPerKey, who, 'key');
  }

  /** Counts nothing. Throws 429 for an address that has used up its limit without a good key. */
  refuseGuessing(address: string): void {
    const limit = this.requestsPerKey;
    if (limit.requests === 0) return;
    const tally = this.limiter.exceededBy(limit, `address:${address}`);
    if (tally !== null) throw overQuota(tally.secondsLeft, 'key');
  }

  /** Counts an event of the project. Throws 429. */
  countEvent(projectId: number): Promise<void> {
    const requests = this.settings.values.throttle_error_tracking_events_per_project_per_hour;
    const name = 'throttle_error_tracking_events_per_project';
    return this.count({ name, requests, seconds: HOUR }, `project:${projectId}`, 'project');
  }

  private get requestsPerKey(): Limit {
    const requests = this.settings.values.throttle_error_tracking_requests_per_key_per_minute;
    return { name: 'throttle_error_tracking_requests_per_key', requests, seconds: MINUTE };
  }

  private async count(limit: Limit, who: string, scope: 'key' | 'project'): Promise<void> {
    if (!this.limiter.enabled || limit.requests === 0) return;
    const tally = await this.limiter.count(limit, who);
    if (tally !== null && isOver(tally)) throw overQuota(tally.secondsLeft, scope);
  }
}

/**
 * SDKs read the header with the categories; `Retry-After` is for those that support nothing else.
 */
function overQuota(seconds: number, scope: 'key' | 'project'): IngestError {
  return new IngestError(429, '429 Too Many Requests', {
    causes: [`the quota of the ${scope} is used up`],
    headers: {
      'Retry-After': String(seconds),
      'X-Sentry-Rate-Limits': `${seconds}:error;default:${scope}:quota`,
    },
  });
}
