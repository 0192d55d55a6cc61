import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { OptionalRedis } from '../../redis.js';

/** Time for which a writer reads from the primary: longer than a replica in use can be behind. */
const AFTER_MS = 5_000;
/** A write that has not ended by then is taken for one whose process died. */
const DURING_MS = 60_000;
const TIMEOUT_MS = 300;

interface RunningWrite {
  name: string;
  id: string;
}

/**
 * The users who have just written, shared between all processes through Redis. Without its answer
 * everyone counts as a writer.
 */
@Injectable()
export class RecentWrites implements OnApplicationShutdown {
  private readonly redis: OptionalRedis;
  /** First part of every key. */
  private readonly prefix: string;

  constructor(@Inject(CONFIG) config: Config) {
    this.prefix = `${config.queuePrefix}:writers:`;
    this.redis = new OptionalRedis(config.redis, {
      name: RecentWrites.name,
      timeoutMs: TIMEOUT_MS,
      lost: 'Reads go to the primary while Redis does not answer',
      regained: 'Reads can go to the replica again: Redis answers',
    });
  }

  /** Connects; called where a replica is used. */
  async start(): Promise<void> {
    await this.redis.connect();
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /** Returns true if one of them has written in the last seconds, or while that cannot be known. */
  async include(names: readonly string[]): Promise<boolean> {
    const keys = names.flatMap((name) => [this.ended(name), this.running(name)]);
    const count = await this.redis.run((redis) => redis.exists(...keys));
    return count !== 0;
  }

  /** Runs a write of them: they read from the primary from now until some seconds after its end. */
  async during<T>(names: readonly string[], write: () => Promise<T>): Promise<T> {
    const id = randomUUID();
    await this.redis.run((redis) =>
      Promise.all(names.map((name) => this.begin(redis, { name, id }))),
    );
    try {
      return await write();
    } finally {
      await this.redis.run((redis) =>
        Promise.all(names.map((name) => this.end(redis, { name, id }))),
      );
    }
  }

  /** Notes a write of them that has ended. */
  async note(names: readonly string[]): Promise<void> {
    await this.redis.run((redis) => Promise.all(names.map((name) => this.mark(redis, name))));
  }

  /** A set, so that the end of a short write does not hide a long one. */
  private async begin(redis: Redis | Cluster, { name, id }: RunningWrite): Promise<void> {
    const key = this.running(name);
    const now = Date.now();
    await Promise.all([
      redis.zremrangebyscore(key, '-inf', now),
      redis.zadd(key, now + DURING_MS, id),
      redis.pexpire(key, DURING_MS),
    ]);
  }

  /** In this order: at no time is the writer unknown. */
  private async end(redis: Redis | Cluster, { name, id }: RunningWrite): Promise<void> {
    await Promise.all([this.mark(redis, name), redis.zrem(this.running(name), id)]);
  }

  private async mark(redis: Redis | Cluster, name: string): Promise<void> {
    await redis.set(this.ended(name), 1, 'PX', AFTER_MS);
  }

  private running(name: string): string {
    return `${this.prefix}running:${name}`;
  }

  private ended(name: string): string {
    return `${this.prefix}ended:${name}`;
  }
}
