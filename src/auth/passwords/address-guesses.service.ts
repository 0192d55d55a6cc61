import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { clientAddress } from '../../core/rate-limits/client-address.js';
import { EndpointLimitError } from '../../core/rate-limits/limit-errors.js';
import { RateLimiter } from '../../core/rate-limits/rate-limiter.service.js';
import { SharedCounters } from '../../core/rate-limits/shared-counters.service.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { SignInRefusedError } from './sign-in-refusal.js';

const NAME = 'sign_in_failures_per_address_limit';
const SECONDS = 600;

/**
 * Stops who tries passwords of many accounts from one address (setting
 * `sign_in_failures_per_address_limit`). Attempts count while they are under way, and from then on
 * when they fail: guessing with many connections at once gains nothing.
 */
@Injectable()
export class AddressGuesses {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly counters: SharedCounters,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** Answers what `attempt` does. Throws 429 with `Retry-After` after too many refused ones. */
  async watch<T>(ip: string | null, attempt: () => Promise<T>): Promise<T> {
    const requests = this.settings.values[NAME];
    if (!this.limiter.enabled || requests === 0) return attempt();
    const { key, resetsAt, secondsLeft } = this.window(ip);
    const observed = (await this.counters.add(key, SECONDS)) ?? 0;
    if (observed > requests) {
      await this.counters.takeBack(key);
      const limit = { name: NAME, requests, seconds: SECONDS };
      throw new EndpointLimitError({ limit, observed, resetsAt, secondsLeft });
    }
    const [outcome] = await Promise.allSettled([attempt()]);
    if (outcome.status === 'rejected') {
      if (!isWrongGuess(outcome.reason)) await this.counters.takeBack(key);
      throw outcome.reason;
    }
    await this.counters.takeBack(key);
    return outcome.value;
  }

  private window(ip: string | null): { key: string; resetsAt: number; secondsLeft: number } {
    const now = Math.floor(this.clock.now().getTime() / 1_000);
    const number = Math.floor(now / SECONDS);
    const resetsAt = (number + 1) * SECONDS;
    const key = `${NAME}:${number}:${clientAddress(ip)}`;
    return { key, resetsAt, secondsLeft: resetsAt - now };
  }
}

/** Returns false for blocked accounts: their correct password is not a guess. */
function isWrongGuess(error: unknown): boolean {
  return error instanceof SignInRefusedError && error.obstacle === 'credentials';
}
