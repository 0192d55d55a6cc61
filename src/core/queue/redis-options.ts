import type { RedisOptions } from 'ioredis';

const DEFAULT_PORT = 6379;

/** Returns the connection that a Redis URL names; Bull reads URLs by the deprecated `url.parse`. */
export function redisOptions(redisUrl: string): RedisOptions {
  const url = new URL(redisUrl);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || DEFAULT_PORT),
    db: Number(url.pathname.slice(1) || 0),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
    ...Object.fromEntries(url.searchParams),
  };
}
