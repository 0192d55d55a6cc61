import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisConfig } from '../config/redis.js';

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
