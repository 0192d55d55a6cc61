import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../clock.js';
import { InstanceSettings } from '../settings/instance-settings.service.js';
import type { Settings } from '../settings/settings.js';
import { clientAddress } from '../http/request-address.js';
import { RateLimiter } from './rate-limiter.service.js';
import { RateStore } from './rate-store.service.js';
import { isOver, windowOf, type Limit, type Tally } from './tally.js';

const BAN_SECONDS = 3_600;
const MAX_REMEMBERED_BANS = 10_000;

/** Limit of guesses per address for a kind of secret. */
export interface GuessLimit {
  /** Returns the limit of the moment, null for none. */
  limit: (settings: Settings) => Limit | null;
  /** Returns true for errors of wrong guesses: expired tokens and blocked users are none. */
  isGuess: (error: unknown) => boolean;
  /** Returns the error for an address above the limit. */
  refusal: (tally: Tally) => Error;
}

/**
 * Stops addresses that guess passwords, tokens and codes. Each method runs an attempt, counts it
 * in its own way if it is a guess, and passes on its result or error.
 */
@Injectable()
export class BruteForceLimiter {
  /** Ends of bans in milliseconds, by key, so that a flood costs no call of Redis. */
  private readonly bans = new LRUCache<string, number>({ max: MAX_REMEMBERED_BANS });

  constructor(
    private readonly limiter: RateLimiter,
    private readonly counters: RateStore,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** Counts guesses after they failed. Throws the limit error above the limit. */
  async limitGuesses<T>(
    guess: GuessLimit,
    ip: string | null | undefined,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const limit = this.limitOf(guess);
    if (limit === null) return attempt();
    const who = `address:${clientAddress(ip)}`;
    const known = this.limiter.exceededBy(limit, who);
    if (known !== null) throw guess.refusal(known);
    try {
      return await attempt();
    } catch (error) {
      const tally = guess.isGuess(error) ? await this.limiter.count(limit, who) : null;
      throw tally !== null && isOver(tally) ? guess.refusal(tally) : error;
    }
  }

  /**
   * Counts attempts while they run, and guesses from then on: guessing over many connections at
   * once gains nothing. Throws the limit error above the limit.
   */
  async limitAttempts<T>(
    guess: GuessLimit,
    ip: string | null | undefined,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const limit = this.limitOf(guess);
    if (limit === null) return attempt();
    const { key, tally } = windowOf(limit, clientAddress(ip), this.clock.now());
    const observed = (await this.counters.add(key, limit.seconds)) ?? 0;
    let isCounted = false;
    try {
      if (observed > limit.requests) throw guess.refusal({ ...tally, observed });
      return await attempt();
    } catch (error) {
      isCounted = guess.isGuess(error);
      throw error;
    } finally {
      if (!isCounted) await this.counters.takeBack(key);
    }
  }

  /**
   * Bans an address for an hour once its guesses reach the limit; a success forgets them. Throws
   * the limit error during a ban.
   */
  async banGuessers<T>(
    guess: GuessLimit,
    ip: string | null | undefined,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const limit = this.limitOf(guess);
    if (limit === null) return attempt();
    const address = clientAddress(ip);
    const guesses = `${limit.name}:guesses:${address}`;
    const ban = `${limit.name}:ban:${address}`;
    const assertNotBanned = (): void => {
      const end = this.bans.get(ban) ?? 0;
      const secondsLeft = Math.ceil((end - this.clock.now().getTime()) / 1000);
      const tally = { limit, observed: limit.requests, resetsAt: Math.ceil(end / 1000) };
      if (secondsLeft > 0) throw guess.refusal({ ...tally, secondsLeft });
    };
    assertNotBanned();
    const [end, count] = (await this.counters.read([ban, guesses])) ?? [];
    if (end) this.bans.set(ban, Number(end));
    assertNotBanned();
    try {
      const result = await attempt();
      if (count) await this.counters.reset(guesses);
      return result;
    } catch (error) {
      if (guess.isGuess(error)) await this.countTowardsBan(limit, { guesses, ban });
      throw error;
    }
  }

  private limitOf(guess: GuessLimit): Limit | null {
    return this.limiter.enabled ? guess.limit(this.settings.values) : null;
  }

  private async countTowardsBan(
    limit: Limit,
    { guesses, ban }: { guesses: string; ban: string },
  ): Promise<void> {
    const observed = await this.counters.add(guesses, limit.seconds);
    if (observed === null || observed < limit.requests) return;
    const end = this.clock.now().getTime() + BAN_SECONDS * 1000;
    this.bans.set(ban, end);
    await this.counters.set(ban, end, BAN_SECONDS);
  }
}
