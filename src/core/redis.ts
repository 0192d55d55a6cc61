import { Logger } from '@nestjs/common';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisConfig } from '../config/redis.js';
import { withTimeout } from './clock.js';

/** Options that a connection and one to a cluster have in common. */
type ConnectionOptions = Pick<
  RedisOptions,
  'connectTimeout' | 'enableOfflineQueue' | 'enableReadyCheck' | 'lazyConnect'
> & { maxRetriesPerRequest?: number | null; retryStrategy?: () => number };

/** Returns the options for one server, or for the one that sentinels name, with TLS and ACL user. */
export function redisOptions(config: RedisConfig): RedisOptions {
  const { kind, nodes, db, username, password, tls, service } = config;
  const access = {
    db,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls: { ...tls } }),
  };
  if (kind !== 'sentinel') return { ...nodes[0], ...access };
  const { sentinelUsername, sentinelPassword } = config;
  return {
    sentinels: nodes.map((node) => ({ ...node })),
    name: service ?? '',
    ...access,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls !== undefined && { sentinelTLS: { ...tls }, enableTLSForSentinelMode: true }),
  };
}

/** Never connects, and rejects every command immediately; its status stays `wait`. */
class NoRedis extends Redis {
  constructor(options: ConnectionOptions) {
    super({ ...options, lazyConnect: true, enableOfflineQueue: false });
  }

  override connect(): Promise<void> {
    return Promise.reject(new Error('There is no Redis'));
  }
}

/** Returns a client for what REDIS_URL names. */
export function createRedis(
  config: RedisConfig | null,
  options: ConnectionOptions,
): Redis | Cluster {
  if (config === null) return new NoRedis(options);
  if (config.kind !== 'cluster') return new Redis({ ...redisOptions(config), ...options });
  const { retryStrategy, lazyConnect, enableOfflineQueue, enableReadyCheck, ...perNode } = options;
  return new Cluster(
    config.nodes.map((node) => ({ ...node })),
    {
      redisOptions: { ...redisOptions(config), ...perNode },
      ...(retryStrategy !== undefined && { clusterRetryStrategy: retryStrategy }),
      ...(lazyConnect !== undefined && { lazyConnect }),
      ...(enableOfflineQueue !== undefined && { enableOfflineQueue }),
      ...(enableReadyCheck !== undefined && { enableReadyCheck }),
      // Certificates are for names, which would be replaced with addresses.
      ...(config.tls !== undefined && { dnsLookup: (address, use) => use(null, address) }),
    },
  );
}

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
