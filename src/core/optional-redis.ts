import { Logger } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import type { RedisConfig } from '../config/redis.js';
import { withTimeout } from './clock.js';
import { createRedis } from './redis-client.js';

/** Pause after a failure, so that a slow Redis does not slow down requests. */
const PAUSE_MS = 1_000;
const CONNECT_MS = 2_000;
const RECONNECT_MS = 1_000;

interface OptionalRedisOptions {
  /** Of the log lines. */
  name: string;
  /** Time that a command can take. */
  timeoutMs: number;
  /** Log line of an outage, before its cause. */
  lost: string;
  /** Log line of its end. */
  regained: string;
}

/**
 * A connection to Redis that requests can do without: a command without a reply in time returns null,
 * and so do all for a second after it. Logs one warning per outage, and one line when it is over.
 */
export class OptionalRedis {
  private readonly logger: Logger;
  private readonly redis: Redis | Cluster;
  private isDown = false;
  private pausedUntil = 0;
  private stopping = false;

  constructor(
    private readonly config: RedisConfig | null,
    private readonly options: OptionalRedisOptions,
  ) {
    this.logger = new Logger(options.name);
    this.redis = createRedis(config, {
      lazyConnect: true,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      retryStrategy: () => RECONNECT_MS,
    });
    this.redis.on('error', (error: unknown) => this.noteFailure(error));
  }

  /** Connects, and goes on trying in the background. */
  async connect(): Promise<void> {
    if (this.config === null) return;
    await this.redis.connect().catch((error: unknown) => this.noteFailure(error));
  }

  disconnect(): void {
    this.stopping = true;
    this.redis.disconnect();
  }

  /** Returns the reply of Redis, or null without one. */
  async run<T>(command: (redis: Redis | Cluster) => Promise<T>): Promise<T | null> {
    if (this.config === null) return null;
    if (this.redis.status !== 'ready') return this.absent('no connection');
    if (performance.now() < this.pausedUntil) return null;
    try {
      const reply = await withTimeout(this.options.timeoutMs, command(this.redis));
      this.noteSuccess();
      return reply;
    } catch (error) {
      return this.absent(error);
    }
  }

  private absent(error: unknown): null {
    this.noteFailure(error);
    return null;
  }

  private noteFailure(error: unknown): void {
    this.pausedUntil = performance.now() + PAUSE_MS;
    if (this.isDown || this.stopping) return;
    this.isDown = true;
    this.logger.warn(`${this.options.lost}: ${String(error)}`);
  }

  private noteSuccess(): void {
    if (!this.isDown) return;
    this.isDown = false;
    this.logger.log(this.options.regained);
  }
}
