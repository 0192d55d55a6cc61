import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { OptionalRedis } from '../redis.js';

/** Timeout of a call. */
const TIMEOUT_MS = 500;

/** Adds to several counters and returns their totals; each expires after its seconds. */
const ADD_SCRIPT = `
local totals = {}
for i, key in ipairs(KEYS) do
  local amount = tonumber(ARGV[2 * i - 1])
  local total = redis.call('INCRBY', key, amount)
  if total == amount then redis.call('EXPIRE', key, ARGV[2 * i]) end
  totals[i] = total
end
return totals`;

/** Skips expired counters: a new one would begin below zero. */
const TAKE_BACK_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('DECR', KEYS[1]) end
return 0`;

interface Addition {
  seconds: number;
  /** One for each request, in their order. */
  waiting: ((total: number | null) => void)[];
}

/**
 * Counters in Redis that all processes share. Additions of one turn of the event loop are sent as one
 * command, in which requests of the same client are one addition. Fails open: calls that time out
 * return null, and the request goes on.
 */
@Injectable()
export class RateStore implements OnModuleInit, OnApplicationShutdown {
  /** First part of every key. */
  private readonly prefix: string;
  private readonly redis: OptionalRedis;
  private additions = new Map<string, Addition>();

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.prefix = `${config.queuePrefix}:rate-limits:`;
    this.redis = new OptionalRedis(config.redis, {
      name: RateStore.name,
      timeoutMs: TIMEOUT_MS,
      lost: 'Requests are not limited while Redis does not count them',
      regained: 'Requests are limited again',
    });
  }

  async onModuleInit(): Promise<void> {
    if (this.config.rateLimits) await this.redis.connect();
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /**
   * Counts one; returns the total with it, or null when Redis does not answer. The counter vanishes
   * `seconds` after its first count.
   */
  add(key: string, seconds: number): Promise<number | null> {
    return new Promise((resolve) => {
      if (this.additions.size === 0) setImmediate(() => void this.send());
      const addition = this.additions.get(key);
      if (addition === undefined) this.additions.set(key, { seconds, waiting: [resolve] });
      else addition.waiting.push(resolve);
    });
  }

  /** Uncounts one. */
  async takeBack(key: string): Promise<void> {
    await this.redis.run((redis) => redis.eval(TAKE_BACK_SCRIPT, 1, this.prefix + key));
  }

  /** Deletes a counter. */
  async reset(key: string): Promise<void> {
    await this.redis.run((redis) => redis.unlink(this.prefix + key));
  }

  /** Returns stored values, null for absent ones; null when Redis does not answer. */
  read(keys: readonly string[]): Promise<(string | null)[] | null> {
    return this.redis.run((redis) => redis.mget(keys.map((key) => this.prefix + key)));
  }

  /** Stores a number; it expires after the given seconds. */
  async set(key: string, value: number, seconds: number): Promise<void> {
    await this.redis.run((redis) => redis.set(this.prefix + key, value, 'EX', seconds));
  }

  private async send(): Promise<void> {
    const additions = this.additions;
    this.additions = new Map();
    const keys = [...additions.keys()].map((key) => this.prefix + key);
    const amounts = [...additions.values()].flatMap(({ seconds, waiting }) => [
      waiting.length,
      seconds,
    ]);
    const totals = await this.redis.run((redis) =>
      redis.eval(ADD_SCRIPT, keys.length, ...keys, ...amounts),
    );
    for (const [index, { waiting }] of [...additions.values()].entries()) {
      resolveAll(waiting, (totals as number[] | null)?.[index] ?? null);
    }
  }
}

/** Resolves the last with the total, the others with what it was at their turn. */
function resolveAll(waiting: Addition['waiting'], total: number | null): void {
  for (const [index, resolve] of waiting.entries()) {
    resolve(total === null ? null : total - waiting.length + index + 1);
  }
}
