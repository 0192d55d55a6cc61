import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig, type Config } from '../../src/config/env.js';
import type { TestDatabase } from './database.js';

/** Variables as the environment would hold them; they win over the tests' own. */
export type TestEnvironment = Record<string, string>;

interface TestConfigInput {
  database: Pick<TestDatabase, 'name' | 'url'>;
  baseUrl: string;
  dataDir: string;
  env?: TestEnvironment;
}

/**
 * The configuration of one test file: its own database, queues and data folder, the storages
 * `default` (takes all new repositories) and `storage2` (takes none), no rate limits.
 */
export function testConfig({ database, baseUrl, dataDir, env = {} }: TestConfigInput): Config {
  return parseConfig({
    NODE_ENV: 'test',
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: process.env['TEST_REDIS_URL'],
    QUEUE_PREFIX: database.name,
    DATA_DIR: dataDir,
    SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
    RATE_LIMITS: 'off',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ...env,
  });
}

/** A fresh folder for everything a test file keeps on disk. */
export function makeDataDir(): Promise<string> {
  return mkdtemp(join(process.env['TEST_DATA_ROOT'] ?? tmpdir(), 'app-'));
}

/** The REDIS_URL of a configuration with one server, for processes that use it as well. */
export function redisUrlOf({ redis }: Pick<Config, 'redis'>): string {
  const [node] = redis?.nodes ?? [];
  return node === undefined
    ? 'none'
    : `redis://:${redis?.password ?? ''}@${node.host}:${node.port}`;
}
