import { resolve } from 'node:path';
import { EnvReader, type Environment } from './env-reader.js';
import { readMail, type MailConfig } from './mail.js';
import { readRedis, type RedisConfig } from './redis.js';
import { readOrCreateSecretKey } from './secret-key.js';
import { readStorages, type StoragesConfig } from './storages.js';
import { readTrustProxy, type TrustProxy } from './trust-proxy.js';

const ENVIRONMENTS = ['development', 'production', 'test'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MIN_SECRET_LENGTH = 32;
const MIN_METRICS_TOKEN_LENGTH = 16;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything the processes take from their environment; frozen. */
export interface Config extends MailConfig, RedisConfig {
  readonly nodeEnv: (typeof ENVIRONMENTS)[number];
  readonly port: number;
  readonly host: string;
  /** Address under which clients reach us, without trailing slash. */
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** First part of every key of ours in Redis, so that several instances can share one. */
  readonly queuePrefix: string;
  readonly dataDir: string;
  readonly storages: StoragesConfig;
  readonly secretKey: string;
  readonly initialRootPassword?: string;
  readonly initialRootToken?: string;
  readonly demoData: boolean;
  readonly trustProxy: TrustProxy;
  readonly rateLimits: boolean;
  readonly logLevel: LogLevel;
  readonly workerConcurrency: number;
  /** Maximum wait of a move for active writes to its repositories (seconds). */
  readonly moveDrainSeconds: number;
  /** Retention of replaced and deleted repositories in the trash (hours). */
  readonly trashHours: number;
  readonly reportedVersion?: string;
  /** Credential of those who read /-/metrics; without one there is no such page. */
  readonly metricsToken?: string;
}

/** All mistakes of the environment at once, one per line. */
export class ConfigError extends Error {
  constructor(readonly mistakes: readonly string[]) {
    super(`The configuration is not usable:\n${mistakes.map((line) => `  ${line}`).join('\n')}`);
  }
}

/**
 * Reads the environment into a frozen Config; throws ConfigError naming every bad variable.
 * In development a missing SECRET_KEY is made and kept below DATA_DIR.
 */
export function parseConfig(env: Environment): Config {
  const reader = new EnvReader(env);
  const nodeEnv = reader.oneOf('NODE_ENV', ENVIRONMENTS, 'development');
  const port = reader.integer('PORT', { fallback: 3000, min: 0, max: 65_535 });
  const baseUrl = readBaseUrl(reader, port);
  const dataDir = resolve(reader.text('DATA_DIR') ?? '.data');
  const configuredKey = readSecretKey(reader, nodeEnv);
  const config = {
    nodeEnv,
    port,
    host: reader.text('HOST') ?? '0.0.0.0',
    baseUrl,
    databaseUrl: reader.requiredUrl('DATABASE_URL', ['postgres:', 'postgresql:']),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', { fallback: 10, min: 1, max: 200 }),
    ...readRedis(reader),
    queuePrefix: readQueuePrefix(reader),
    dataDir,
    storages: readStorages(reader, dataDir),
    ...readFirstStart(reader),
    ...readMail(reader, baseUrl),
    trustProxy: readTrustProxy(reader),
    rateLimits: reader.switch('RATE_LIMITS', true),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    workerConcurrency: reader.integer('WORKER_CONCURRENCY', { fallback: 4, min: 1, max: 64 }),
    moveDrainSeconds: reader.integer('MOVE_DRAIN_SECONDS', { fallback: 30, min: 0, max: 3_600 }),
    trashHours: reader.integer('TRASH_HOURS', { fallback: 24, min: 1, max: 8_760 }),
    ...readReportedVersion(reader),
    ...readMetricsToken(reader),
  };
  if (reader.mistakes.length > 0) throw new ConfigError(reader.mistakes);
  return deepFreeze({ ...config, secretKey: configuredKey ?? keptSecretKey(dataDir) });
}

function keptSecretKey(dataDir: string): string {
  try {
    return readOrCreateSecretKey(dataDir);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConfigError([`DATA_DIR cannot keep the secret key (${code}): ${dataDir}`]);
  }
}

function readBaseUrl(reader: EnvReader, port: number): string {
  const given = reader.text('BASE_URL');
  const text = reader.url('BASE_URL', ['http:', 'https:'], given);
  const fallback = `http://localhost:${port}`;
  if (text === undefined) return fallback;
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    reader.refuse('BASE_URL', 'must have no credentials, query or fragment');
  }
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}

function readQueuePrefix(reader: EnvReader): string {
  const prefix = reader.text('QUEUE_PREFIX') ?? 'guildhall';
  if (!/^[\w.-]{1,100}$/.test(prefix)) {
    reader.refuse('QUEUE_PREFIX', 'may hold letters, digits, dots, dashes and underscores only');
  }
  return prefix;
}

function readSecretKey(reader: EnvReader, nodeEnv: Config['nodeEnv']): string | undefined {
  const key = reader.secret('SECRET_KEY');
  if (key !== undefined && key.length < MIN_SECRET_LENGTH) {
    reader.refuse('SECRET_KEY', `must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  const isAbsent = key === undefined && reader.text('SECRET_KEY_FILE') === undefined;
  if (isAbsent && nodeEnv === 'production') {
    reader.refuse('SECRET_KEY', 'is required in production');
  }
  return key;
}

function readFirstStart(
  reader: EnvReader,
): Pick<Config, 'initialRootPassword' | 'initialRootToken' | 'demoData'> {
  const initialRootPassword = reader.secret('INITIAL_ROOT_PASSWORD');
  const initialRootToken = reader.secret('INITIAL_ROOT_TOKEN');
  return {
    ...(initialRootPassword !== undefined && { initialRootPassword }),
    ...(initialRootToken !== undefined && { initialRootToken }),
    demoData: reader.switch('DEMO_DATA', false),
  };
}

function readReportedVersion(reader: EnvReader): Pick<Config, 'reportedVersion'> {
  const reportedVersion = reader.text('REPORTED_VERSION');
  if (reportedVersion === undefined) return {};
  if (!/^\d+\.\d+\.\d[\w.+-]*$/.test(reportedVersion)) {
    reader.refuse('REPORTED_VERSION', 'must look like 18.4.0');
  }
  return { reportedVersion };
}

function readMetricsToken(reader: EnvReader): Pick<Config, 'metricsToken'> {
  const metricsToken = reader.secret('METRICS_TOKEN');
  if (metricsToken === undefined) return {};
  if (metricsToken.length < MIN_METRICS_TOKEN_LENGTH) {
    reader.refuse('METRICS_TOKEN', `must have at least ${MIN_METRICS_TOKEN_LENGTH} characters`);
  }
  return { metricsToken };
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner as object);
  }
  return Object.freeze(value);
}
