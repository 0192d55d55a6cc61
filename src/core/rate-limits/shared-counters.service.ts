import { Injectable } from '@nestjs/common';
import { RateStore } from './rate-store.service.js';

/** Adds to several counters and answers their totals; each ends so many seconds after it began. */
const ADD_SCRIPT = `
local totals = {}
for i, key in ipairs(KEYS) do
  local amount = tonumber(ARGV[2 * i - 1])
  local total = redis.call('INCRBY', key, amount)
  if total == amount then redis.call('EXPIRE', key, ARGV[2 * i]) end
  totals[i] = total
end
return totals`;

/** Not for a counter that has ended meanwhile: the next one would begin below zero. */
const TAKE_BACK_SCRIPT = `
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('DECR', KEYS[1]) end
return 0`;

interface Addition {
  seconds: number;
  /** One for each request, in their order. */
  waiting: ((total: number | null) => void)[];
}

/**
 * Counters in Redis that all processes share. What is counted in one turn of the event loop goes
 * out as one command, in which requests of the same client are one addition.
 */
@Injectable()
export class SharedCounters {
  private additions = new Map<string, Addition>();

  constructor(private readonly store: RateStore) {}

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

  /** Counts one less: what was counted does not count after all. */
  async takeBack(key: string): Promise<void> {
    await this.store.ask((redis) => redis.eval(TAKE_BACK_SCRIPT, 1, this.store.prefix + key));
  }

  /** Forgets a counter. */
  async reset(key: string): Promise<void> {
    await this.store.ask((redis) => redis.unlink(this.store.prefix + key));
  }

  private async send(): Promise<void> {
    const additions = this.additions;
    this.additions = new Map();
    const keys = [...additions.keys()].map((key) => this.store.prefix + key);
    const amounts = [...additions.values()].flatMap(({ seconds, waiting }) => [
      waiting.length,
      seconds,
    ]);
    const totals = await this.store.ask((redis) =>
      redis.eval(ADD_SCRIPT, keys.length, ...keys, ...amounts),
    );
    const answers = totals as number[] | null;
    for (const [index, { waiting }] of [...additions.values()].entries()) {
      const total = answers?.[index] ?? null;
      tell(waiting, total);
    }
  }
}

/** The last in the line sees the total, those before it what it was when their turn came. */
function tell(waiting: Addition['waiting'], total: number | null): void {
  for (const [index, resolve] of waiting.entries()) {
    resolve(total === null ? null : total - waiting.length + index + 1);
  }
}
