import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { withTimeout } from '../../clock.js';
import { createRedis } from '../../redis-client.js';

/** Time for which a writer reads from the primary: longer than a replica in use can be behind. */
const AFTER_MS = 5_000;
/** The same while the write runs, also if its process dies meanwhile. */
const DURING_MS = 60_000;
const TIMEOUT_MS = 300;
/** Pause after a failure, so that a slow Redis does not slow down requests. */
const PAUSE_MS = 1_000;
const CONNECT_MS = 2_000;
const RECONNECT_MS = 1_000;

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
    const count = await this.ask((redis) =>
      redis.exists(...names.map((name) => this.prefix + name)),
    );
    return count !== 0;
  }

  /** Runs a write of them: they read from the primary from now until some seconds after its end. */
  async during<T>(names: readonly string[], write: () => Promise<T>): Promise<T> {
    await this.note(names, DURING_MS);
    try {
      return await write();
    } finally {
      await this.note(names);
    }
  }

  /** Notes a write of them that has ended. */
  async note(names: readonly string[], milliseconds = AFTER_MS): Promise<void> {
    await this.ask((redis) =>
      Promise.all(names.map((name) => redis.set(this.prefix + name, 1, 'PX', milliseconds))),
    );
  }

  /** Returns the reply of Redis, or null without one. */
  private async ask<T>(command: (redis: Redis | Cluster) => Promise<T>): Promise<T | null> {
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
