import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, parseConfig } from './env.js';
import type { Environment } from './env-reader.js';

const KEY = 'k'.repeat(48);
const RSA_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()
  .trim();
const SCHEMES = 'redis://, rediss://, redis+sentinel:// or redis+cluster://';
const CERTIFICATE = rootCertificates[0] ?? '';
const MINIMAL = {
  DATABASE_URL: 'postgres://u:p@db/guildhall',
  REDIS_URL: 'redis://cache:6379',
  SECRET_KEY: KEY,
};

function errorsOf(env: Environment): readonly string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.errors;
    throw error;
  }
  return [];
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'config-'));
}

describe('parseConfig', () => {
  it('fills in every default', () => {
    const config = parseConfig({ ...MINIMAL, DATA_DIR: '/srv/data' });
    expect(config).toEqual({
      nodeEnv: 'development',
      port: 3000,
      host: '0.0.0.0',
      baseUrl: 'http://localhost:3000',
      databaseUrl: 'postgres://u:p@db/guildhall',
      databasePoolSize: 10,
      webProcesses: Math.min(availableParallelism(), 4),
      workerProcesses: 1,
      redis: { kind: 'server', nodes: [{ host: 'cache', port: 6379 }], db: 0 },
      queuePrefix: 'guildhall',
      dataDir: '/srv/data',
      storages: {
        default: { path: '/srv/data/storages/default', weight: 100 },
        storage2: { path: '/srv/data/storages/storage2', weight: 0 },
      },
      secretKey: KEY,
      demoData: false,
      smtpConnections: 8,
      mailFrom: 'Guildhall <noreply@localhost>',
      trustProxy: false,
      isTraced: false,
      rateLimits: true,
      logLevel: 'info',
      workerConcurrency: 4,
      moveDrainSeconds: 30,
      trashHours: 24,
    });
  });

  it('reads every variable', () => {
    const config = parseConfig({
      ...MINIMAL,
      NODE_ENV: 'production',
      PORT: '8080',
      HOST: '127.0.0.1',
      BASE_URL: 'https://code.example.com/',
      DATABASE_POOL_SIZE: '20',
      STORAGES: '{"a":{"path":"/srv/a"},"b":{"path":"/srv/b","weight":0}}',
      INITIAL_ROOT_PASSWORD: 'correct horse',
      INITIAL_ROOT_TOKEN: 'svcpat-1',
      DEMO_DATA: 'true',
      SMTP_URL: 'smtp://mail:25',
      SMTP_CONNECTIONS: '20',
      MAIL_FROM: 'Code <code@example.com>',
      DKIM_DOMAIN: 'example.com',
      DKIM_SELECTOR: 'mail2026',
      DKIM_PRIVATE_KEY: RSA_KEY.replaceAll('\n', '\\n'),
      METRICS_TOKEN: 'metrics-metrics-metrics',
      TRUST_PROXY: '10.0.0.0/8, loopback',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      WORKER_CONCURRENCY: '2',
      MOVE_DRAIN_SECONDS: '5',
      TRASH_HOURS: '48',
      REPORTED_VERSION: '18.4.0',
    });
    expect(config).toMatchObject({
      nodeEnv: 'production',
      port: 8080,
      baseUrl: 'https://code.example.com',
      storages: { a: { path: '/srv/a', weight: 100 }, b: { path: '/srv/b', weight: 0 } },
      initialRootPassword: 'correct horse',
      initialRootToken: 'svcpat-1',
      demoData: true,
      smtpUrl: 'smtp://mail:25',
      smtpConnections: 20,
      mailFrom: 'Code <code@example.com>',
      dkim: { domain: 'example.com', selector: 'mail2026', privateKey: RSA_KEY },
      metricsToken: 'metrics-metrics-metrics',
      trustProxy: ['10.0.0.0/8', 'loopback'],
      rateLimits: false,
      logLevel: 'warn',
      workerConcurrency: 2,
      moveDrainSeconds: 5,
      trashHours: 48,
      reportedVersion: '18.4.0',
    });
  });

  it('is frozen at every level', () => {
    const config = parseConfig({ ...MINIMAL, DATA_DIR: '/srv/data' });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.storages['default'])).toBe(true);
  });

  it('reports all errors together, without the values of secrets', () => {
    const errors = errorsOf({
      PORT: '99999',
      BASE_URL: 'ftp://x',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      NODE_ENV: 'production',
      STORAGES: '{"a":{"path":"/srv/a","weight":0},"../b":{"path":"/b"}}',
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'loud',
      RATE_LIMITS: 'maybe',
      REPORTED_VERSION: 'new',
      SMTP_CONNECTIONS: '0',
      DKIM_DOMAIN: 'localhost',
      DKIM_SELECTOR: 'mail 2026',
      DKIM_PRIVATE_KEY: 'hunter2',
      METRICS_TOKEN: 'short',
    });
    expect(errors).toEqual([
      'PORT must be an integer from 0 to 65535',
      'BASE_URL must be a URL that starts with http:// or https://',
      'SECRET_KEY is required in production',
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
      'REDIS_URL is required',
      'STORAGES has a storage with an unusable name: "../b"',
      'STORAGES needs at least one storage with a weight above 0',
      'SMTP_CONNECTIONS must be an integer from 1 to 100',
      'DKIM_DOMAIN must be a domain such as example.com',
      'DKIM_SELECTOR must be a name such as mail2026',
      'DKIM_PRIVATE_KEY must be an RSA private key as PEM',
      'TRUST_PROXY must be off, the number of proxies, or their addresses separated by commas',
      'RATE_LIMITS must be on or off',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
      'REPORTED_VERSION must look like 18.4.0',
      'METRICS_TOKEN must have at least 16 characters',
    ]);
  });

  it('refuses two storages in one folder and one inside the other', () => {
    const STORAGES = '{"a":{"path":"/srv/a"},"b":{"path":"/srv/a/b"}}';
    expect(errorsOf({ ...MINIMAL, STORAGES })).toEqual(['STORAGES has b in the same folder as a']);
  });

  it.each([
    ['http://cache:6379', `REDIS_URL must be a URL that starts with ${SCHEMES}`],
    ['cache:6379', `REDIS_URL must be a URL that starts with ${SCHEMES}`],
    ['redis://cache/first', 'REDIS_URL must end with a database number'],
    ['redis://a,b', 'REDIS_URL must name a host, for sentinels or a cluster several'],
    ['redis://cache:x', 'REDIS_URL must name a host, for sentinels or a cluster several'],
    ['redis://:%zz@cache', 'REDIS_URL must have percent-encoded credentials'],
    ['redis+sentinel://a,b', 'REDIS_URL must name the service of the sentinels: …/mymaster'],
    ['redis+cluster://a,b/1', 'REDIS_URL must have no database number: clusters have one'],
    ['redis://cache?tls=true', 'REDIS_URL must have no query or fragment'],
  ])('rejects the Redis URL %s', (REDIS_URL, error) => {
    expect(errorsOf({ ...MINIMAL, REDIS_URL })).toEqual([error]);
  });

  it('reads ACL users, sentinels, clusters, and that there is no Redis', () => {
    const redisOf = (REDIS_URL: string, env: Environment = {}) =>
      parseConfig({ ...MINIMAL, ...env, REDIS_URL });
    expect(redisOf('redis://web:p%40ss@[::1]:6380/2').redis).toEqual({
      kind: 'server',
      nodes: [{ host: '::1', port: 6380 }],
      db: 2,
      username: 'web',
      password: 'p@ss',
    });
    const env = { REDIS_SENTINEL_USERNAME: 'watch', REDIS_SENTINEL_PASSWORD: 'dog' };
    expect(redisOf('redis+sentinel://:secret@a,b:26380/main/3', env).redis).toEqual({
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      service: 'main',
      db: 3,
      password: 'secret',
      sentinelUsername: 'watch',
      sentinelPassword: 'dog',
    });
    const cluster = redisOf('rediss+cluster://a:7000,b');
    expect(cluster.redis).toMatchObject({ kind: 'cluster', nodes: [{ port: 7000 }, {}], tls: {} });
    expect(cluster.queuePrefix).toBe('{guildhall}');
    expect(redisOf('none').redis).toBeNull();
  });

  it('accepts only PEM certificates with their key, for Redis over TLS', () => {
    const REDIS_URL = 'rediss://cache';
    expect(errorsOf({ ...MINIMAL, REDIS_URL, REDIS_TLS_CA: 'hunter2' })).toEqual([
      'REDIS_TLS_CA must be PEM',
    ]);
    expect(errorsOf({ ...MINIMAL, REDIS_URL, REDIS_TLS_CERT: CERTIFICATE })).toEqual([
      'REDIS_TLS_CERT and REDIS_TLS_KEY must be set together',
    ]);
    expect(errorsOf({ ...MINIMAL, REDIS_TLS_CA: CERTIFICATE })).toEqual([
      'REDIS_URL must start with rediss when REDIS_TLS_* is set',
    ]);
    const config = parseConfig({ ...MINIMAL, REDIS_URL, REDIS_TLS_CA: CERTIFICATE });
    expect(config.redis?.tls).toEqual({ ca: CERTIFICATE });
  });

  it('reads a secret from the file that its _FILE variable names', () => {
    const file = join(temporaryFolder(), 'redis');
    writeFileSync(file, 'rediss://from-file:6379\n');
    const env = { ...MINIMAL, REDIS_URL: undefined, REDIS_URL_FILE: file };
    expect(parseConfig(env).redis?.nodes).toEqual([{ host: 'from-file', port: 6379 }]);
  });

  it('names a secret file that is missing, and a secret that is given twice', () => {
    const env = { ...MINIMAL, REDIS_URL: '', REDIS_URL_FILE: '/missing', SECRET_KEY_FILE: '/x' };
    expect(errorsOf(env)).toEqual([
      'SECRET_KEY is set twice, by SECRET_KEY and by SECRET_KEY_FILE',
      'REDIS_URL_FILE names a file that cannot be read (ENOENT): /missing',
    ]);
  });

  it('makes a secret key once in development and keeps it readable for the owner only', () => {
    const dataDir = join(temporaryFolder(), 'data');
    const env = { ...MINIMAL, SECRET_KEY: undefined, DATA_DIR: dataDir };
    const first = parseConfig(env).secretKey;
    expect(first).toHaveLength(64);
    expect(parseConfig(env).secretKey).toBe(first);
    expect(readFileSync(join(dataDir, 'secret_key'), 'utf8').trim()).toBe(first);
    expect(statSync(join(dataDir, 'secret_key')).mode & 0o777).toBe(0o600);
  });
});
