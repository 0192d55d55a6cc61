import { createSecureContext } from 'node:tls';
import type { EnvReader } from './env-reader.js';

/** TLS options for Redis in PEM format. */
export interface RedisTls {
  /** Trusted certificate authorities instead of Node's defaults. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface RedisConfig {
  readonly redisUrl: string;
  readonly redisTls: RedisTls;
}

/** Reads `REDIS_URL` and, for rediss://, `REDIS_TLS_CA`, `REDIS_TLS_CERT` and `REDIS_TLS_KEY`. */
export function readRedis(reader: EnvReader): RedisConfig {
  const redisUrl = reader.requiredUrl('REDIS_URL', ['redis:', 'rediss:']);
  const redisTls = readTls(reader);
  if (redisUrl === '') return { redisUrl, redisTls };
  const { protocol, pathname, search, hash } = new URL(redisUrl);
  if (!/^\/?\d*$/.test(pathname)) reader.refuse('REDIS_URL', 'must end with a database number');
  if (search !== '' || hash !== '') reader.refuse('REDIS_URL', 'must have no query or fragment');
  if (protocol === 'redis:' && Object.keys(redisTls).length > 0) {
    reader.refuse('REDIS_URL', 'must start with rediss:// when REDIS_TLS_* is set');
  }
  return { redisUrl, redisTls };
}

function readTls(reader: EnvReader): RedisTls {
  const [ca, cert, key] = ['CA', 'CERT', 'KEY'].map((name) => {
    const pem = reader.secret(`REDIS_TLS_${name}`)?.replaceAll('\\n', '\n');
    if (pem !== undefined && !isPem(pem)) reader.refuse(`REDIS_TLS_${name}`, 'must be PEM');
    return pem;
  });
  if ((cert === undefined) !== (key === undefined)) {
    reader.refuse('REDIS_TLS_CERT', 'and REDIS_TLS_KEY must be set together');
  }
  const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  if (!isUsable(tls)) reader.refuse('REDIS_TLS_CERT', 'and REDIS_TLS_KEY must match');
  return tls;
}

function isPem(text: string): boolean {
  return /^-----BEGIN [A-Z ]+-----\n[\s\S]+\n-----END [A-Z ]+-----$/m.test(text);
}

function isUsable(tls: RedisTls): boolean {
  try {
    createSecureContext(tls);
    return true;
  } catch {
    return false;
  }
}
