import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { clientAddress } from '../core/rate-limits/client-address.js';
import { RateLimiter } from '../core/rate-limits/rate-limiter.service.js';
import { RateStore } from '../core/rate-limits/rate-store.service.js';
import { SharedCounters } from '../core/rate-limits/shared-counters.service.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { GitHttpError, UnknownTokenRefusal } from './git-http-error.js';

const FAILURES_SECONDS = 180;
const BAN_SECONDS = 3_600;
const MAX_REMEMBERED = 10_000;

/**
 * Keeps an address that guesses tokens over Git away for an hour (API doc, Limits): 403 to each
 * request with credentials, without looking at them. One that gets through begins anew. Requests
 * without credentials go on: public repositories stay readable.
 */
@Injectable()
export class GitGuesses {
  /** Ends of bans in milliseconds, so that a flood needs no queries. */
  private readonly bans = new Map<string, number>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly counters: SharedCounters,
    private readonly store: RateStore,
    private readonly settings: InstanceSettings,
  ) {}

  /**
   * Answers what `authenticate` does, whose refusals of unknown tokens count: a job whose token has
   * expired must not shut out everyone behind its address. Throws 403 during a ban.
   */
  async watch<T>(request: Request, authenticate: () => Promise<T>): Promise<T> {
    const allowed = this.settings.values.git_failed_authentications_per_3_minutes;
    const isWatched = this.limiter.enabled && allowed > 0;
    if (!isWatched) return authenticate();
    const address = clientAddress(request.ip);
    const hasFailed = await this.assertWelcome(address);
    try {
      const result = await authenticate();
      if (hasFailed) await this.counters.reset(failuresOf(address));
      return result;
    } catch (error) {
      if (error instanceof UnknownTokenRefusal) await this.note(address, allowed);
      throw error;
    }
  }

  /** Throws during a ban; else whether there are failures to forget. */
  private async assertWelcome(address: string): Promise<boolean> {
    assertOver(this.bans.get(address));
    const keys = [banOf(address), failuresOf(address)].map((key) => this.store.prefix + key);
    const [until, failures] = (await this.store.ask((redis) => redis.mget(keys))) ?? [];
    if (until) this.remember(address, Number(until));
    assertOver(this.bans.get(address));
    return Boolean(failures);
  }

  private async note(address: string, allowed: number): Promise<void> {
    const failures = await this.counters.add(failuresOf(address), FAILURES_SECONDS);
    if (failures === null || failures < allowed) return;
    const until = Date.now() + BAN_SECONDS * 1000;
    this.remember(address, until);
    const key = this.store.prefix + banOf(address);
    await this.store.ask((redis) => redis.set(key, until, 'EX', BAN_SECONDS));
  }

  private remember(address: string, until: number): void {
    if (this.bans.size >= MAX_REMEMBERED) this.bans.clear();
    this.bans.set(address, until);
  }
}

function banOf(address: string): string {
  return `git-ban:${address}`;
}

function failuresOf(address: string): string {
  return `git-failures:${address}`;
}

/** 403 while a ban lasts. */
function assertOver(until: number | undefined): void {
  const left = Math.ceil(((until ?? 0) - Date.now()) / 1000);
  if (left <= 0) return;
  throw new GitHttpError(403, 'Too many failed sign-ins from your address. Try again later.', {
    'Retry-After': String(left),
  });
}
