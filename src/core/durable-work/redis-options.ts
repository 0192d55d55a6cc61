import type { RedisOptions } from 'ioredis';
import type { RedisConfig } from '../../config/redis.js';

const DEFAULT_PORT = 6379;

/**
 * Returns the connection options of REDIS_URL. Bull itself parses URLs with the deprecated
 * `url.parse` and ignores the TLS of rediss://.
 */
export function redisOptions({ redisUrl, redisTls }: RedisConfig): RedisOptions {
  const url = new URL(redisUrl);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || DEFAULT_PORT),
    db: Number(url.pathname.slice(1) || 0),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(url.protocol === 'rediss:' && { tls: { ...redisTls } }),
  };
}
