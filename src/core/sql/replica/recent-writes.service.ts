import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { withTimeout } from '../../clock.js';
import { createRedis } from '../../redis-client.js';

/** Time for which a writer reads from the primary: longer than a replica in use can be behind. */
const AFTER_MS = 5_000;
/** A write that has not ended by then is taken for one whose process died. */
const DURING_MS = 60_000;
const TIMEOUT_MS = 300;
/** Pause after a failure, so that a slow Redis does not slow down requests. */
const PAUSE_MS = 1_000;
const CONNECT_MS = 2_000;
const RECONNECT_MS = 1_000;

interface RunningWrite {
  name: string;
  id: string;
}

/**
 * Who has just written, known to all processes through Redis. Without an answer of Redis everyone
 * counts as a writer.
 */
@Injectable()
export class RecentWrites implements OnApplicationShutdown {
  private readonly logger = new Logger(RecentWrites.name);
  private readonly redis: Redis | Cluster;
  /** First part of every key. */
  private readonly prefix: string;
  private pausedUntil = 0;
  private isDown = false;
  private stopping = false;

  constructor(@Inject(CONFIG) config: Config) {
    this.prefix = `${config.queuePrefix}:writers:`;
    this.redis = createRedis(config.redis, {
      lazyConnect: true,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      retryStrategy: () => RECONNECT_MS,
    });
    this.redis.on('error', (error: unknown) => this.noteFailure(error));
  }

  /** Connects; called where a replica is used. */
  async start(): Promise<void> {
    await this.redis.connect().catch((error: unknown) => this.noteFailure(error));
  }

  onApplicationShutdown(): void {
    this.stopping = true;
    this.redis.disconnect();
  }

  /** Returns true if one of them has written in the last seconds, or while that cannot be known. */
  async include(names: readonly string[]): Promise<boolean> {
    const keys = names.flatMap((name) => [this.ended(name), this.running(name)]);
    const count = await this.run((redis) => redis.exists(...keys));
    return count !== 0;
  }

  /** Runs a write of them: they read from the primary from now until some seconds after its end. */
  async during<T>(names: readonly string[], write: () => Promise<T>): Promise<T> {
    const id = randomUUID();
    await this.run((redis) => Promise.all(names.map((name) => this.begin(redis, { name, id }))));
    try {
      return await write();
    } finally {
      await this.run((redis) => Promise.all(names.map((name) => this.end(redis, { name, id }))));
    }
  }

  /** Notes a write of them; the time counts anew. */
  async note(names: readonly string[]): Promise<void> {
    await this.run((redis) => Promise.all(names.map((name) => this.mark(redis, name))));
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

  /** Returns the reply of Redis, or null without one. */
  private async run<T>(command: (redis: Redis | Cluster) => Promise<T>): Promise<T | null> {
    if (this.redis.status !== 'ready' || performance.now() < this.pausedUntil) return null;
    try {
      const reply = await withTimeout(TIMEOUT_MS, command(this.redis));
      if (this.isDown) this.logger.log('Redis tells again who has written');
      this.isDown = false;
      return reply;
    } catch (error) {
      this.noteFailure(error);
      return null;
    }
  }

  private noteFailure(error: unknown): void {
    this.pausedUntil = performance.now() + PAUSE_MS;
    if (this.isDown || this.stopping) return;
    this.isDown = true;
    this.logger.warn(`Reads go to the primary while Redis does not answer: ${String(error)}`);
  }
}
