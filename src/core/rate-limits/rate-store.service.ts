import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Redis } from 'ioredis';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { redisOptions } from '../durable-work/redis-options.js';

/** A request waits no longer than this for its count. */
const PATIENCE_MS = 500;
/** After a failure Redis is left alone for this long, so that a slow one does not slow us down. */
const PAUSE_MS = 1_000;
const CONNECT_MS = 2_000;
const RECONNECT_MS = 1_000;

/**
 * Connection of the process to Redis for counting. Fails open: calls that time out return null, and
 * the request goes on. Logs one warning per outage, and one line when it is over.
 */
@Injectable()
export class RateStore implements OnModuleInit, OnApplicationShutdown {
  /** First part of every key. */
  readonly prefix: string;
  private readonly logger = new Logger(RateStore.name);
  private readonly redis: Redis;
  private isAway = false;
  private pausedUntil = 0;
  private stopping = false;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.prefix = `${config.queuePrefix}:rate-limits:`;
    this.redis = new Redis({
      ...redisOptions(config),
      lazyConnect: true,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      connectTimeout: CONNECT_MS,
      retryStrategy: () => RECONNECT_MS,
    });
    this.redis.on('error', (error: unknown) => this.noteFailure(error));
  }

  async onModuleInit(): Promise<void> {
    if (!this.config.rateLimits) return;
    await this.redis.connect().catch((error: unknown) => this.noteFailure(error));
  }

  onApplicationShutdown(): void {
    this.stopping = true;
    this.redis.disconnect();
  }

  /** Returns the reply of Redis, or null after a timeout. */
  async ask<T>(command: (redis: Redis) => Promise<T>): Promise<T | null> {
    if (this.redis.status !== 'ready') return this.absent('no connection');
    if (performance.now() < this.pausedUntil) return null;
    try {
      const answer = await within(PATIENCE_MS, command(this.redis));
      this.noteSuccess();
      return answer;
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
    if (this.isAway || this.stopping) return;
    this.isAway = true;
    this.logger.warn(`Requests are not limited while Redis does not count them: ${String(error)}`);
  }

  private noteSuccess(): void {
    if (!this.isAway) return;
    this.isAway = false;
    this.logger.log('Requests are limited again');
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error('no answer in time'));
    // An answer can lie in the socket unread when it is this process that is late.
    timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
