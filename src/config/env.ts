import { resolve, join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EnvReader, type Environment } from './env-reader.js';
import { type ProcessesConfig, readProcesses } from './processes.js';
import { type RedisConfig, readRedis } from './redis.js';
import {
  readAuditStream,
  readDatabase,
  readIsTraced,
  readMail,
  readStorages,
  type AuditStreamConfig,
  type DatabaseConfig,
  type MailConfig,
  type StoragesConfig,
} from './services.js';

const ENVIRONMENTS = ['development', 'production', 'test'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MIN_SECRET_LENGTH = 32;
const MIN_METRICS_TOKEN_LENGTH = 16;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything the processes take from their environment; frozen. */
export interface Config extends DatabaseConfig, MailConfig, ProcessesConfig {
  readonly nodeEnv: (typeof ENVIRONMENTS)[number];
  readonly port: number;
  readonly host: string;
  /** Address under which clients reach us, without trailing slash. */
  readonly baseUrl: string;
  /** null: there is none, and only the database drives background work. */
  readonly redis: RedisConfig | null;
  /**
   * First part of every key of ours in Redis, so that several instances can share one. In a cluster a
   * hash tag: commands with several keys need them on one node.
   */
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
  /** Maximum wait of a move for active writes to its repositories (seconds). */
  readonly moveDrainSeconds: number;
  /** Retention of replaced and deleted repositories in the trash (hours). */
  readonly trashHours: number;
  readonly reportedVersion?: string;
  /** Where copies of audit events go; undefined: nowhere. */
  readonly auditStream?: AuditStreamConfig;
  /** True if the processes send traces: OTEL_EXPORTER_OTLP_ENDPOINT or its form for traces is set. */
  readonly isTraced: boolean;
  /** Bearer token of /-/metrics, which is disabled without one. */
  readonly metricsToken?: string;
}

/** All errors of the environment, one per line. */
export class ConfigError extends Error {
  constructor(readonly errors: readonly string[]) {
    super(`The configuration is not usable:\n${errors.map((line) => `  ${line}`).join('\n')}`);
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
  const database = readDatabase(reader);
  const redis = readRedis(reader);
  const config = {
    nodeEnv,
    port,
    host: reader.text('HOST') ?? '0.0.0.0',
    baseUrl,
    ...database,
    ...readProcesses(reader),
    redis,
    queuePrefix: readQueuePrefix(reader, redis),
    dataDir,
    storages: readStorages(reader, dataDir),
    ...readFirstStart(reader),
    ...readMail(reader, baseUrl),
    trustProxy: readTrustProxy(reader),
    rateLimits: reader.switch('RATE_LIMITS', true),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    moveDrainSeconds: reader.integer('MOVE_DRAIN_SECONDS', { fallback: 30, min: 0, max: 3_600 }),
    trashHours: reader.integer('TRASH_HOURS', { fallback: 24, min: 1, max: 8_760 }),
    ...readReportedVersion(reader),
    ...readAuditStream(reader),
    isTraced: readIsTraced(reader),
    ...readMetricsToken(reader),
  };
  if (reader.errors.length > 0) throw new ConfigError(reader.errors);
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
    reader.addError('BASE_URL', 'must have no credentials, query or fragment');
  }
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
}

function readQueuePrefix(reader: EnvReader, redis: RedisConfig | null): string {
  const prefix = reader.text('QUEUE_PREFIX') ?? 'guildhall';
  if (!/^[\w.-]{1,100}$/.test(prefix)) {
    reader.addError(
      'QUEUE_PREFIX',
      'can contain only letters, digits, dots, dashes and underscores',
    );
  }
  return redis?.kind === 'cluster' ? `{${prefix}}` : prefix;
}

function readSecretKey(reader: EnvReader, nodeEnv: Config['nodeEnv']): string | undefined {
  const key = reader.secret('SECRET_KEY');
  if (key !== undefined && key.length < MIN_SECRET_LENGTH) {
    reader.addError('SECRET_KEY', `must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  const isAbsent = key === undefined && reader.text('SECRET_KEY_FILE') === undefined;
  if (isAbsent && nodeEnv === 'production') {
    reader.addError('SECRET_KEY', 'is required in production');
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
    reader.addError('REPORTED_VERSION', 'must look like 18.4.0');
  }
  return { reportedVersion };
}

function readMetricsToken(reader: EnvReader): Pick<Config, 'metricsToken'> {
  const metricsToken = reader.secret('METRICS_TOKEN');
  if (metricsToken === undefined) return {};
  if (metricsToken.length < MIN_METRICS_TOKEN_LENGTH) {
    reader.addError('METRICS_TOKEN', `must have at least ${MIN_METRICS_TOKEN_LENGTH} characters`);
  }
  return { metricsToken };
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner as object);
  }
  return Object.freeze(value);
}

/** Which proxies' X-Forwarded-* headers count: none, a number of hops, or a list of addresses. */
type TrustProxy = false | number | readonly string[];

/**
 * `TRUST_PROXY`. A plain "true" is refused: it would let any client choose the address it is
 * limited and logged by (RFC 7239 §8.1).
 */
function readTrustProxy(reader: EnvReader): TrustProxy {
  const value = reader.text('TRUST_PROXY');
  if (value === undefined || ['false', 'off', 'no', '0'].includes(value)) return false;
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  const addresses = value.split(',').map((address) => address.trim());
  const pattern = /^(loopback|linklocal|uniquelocal|(?=[0-9a-f]*[.:])[0-9a-f.:]+(\/\d{1,3})?)$/i;
  if (addresses.every((address) => pattern.test(address))) return addresses;
  reader.addError(
    'TRUST_PROXY',
    'must be off, the number of proxies, or their addresses separated by commas',
  );
  return false;
}

/**
 * The development key kept in `<dataDir>/secret_key` (0600), made on first use. Web and worker can
 * start at the same moment: the file appears complete by a link, and the process that comes second
 * reads the key of the first.
 */
function readOrCreateSecretKey(dataDir: string): string {
  const path = join(dataDir, 'secret_key');
  const existing = readIfPresent(path);
  if (existing !== null) return existing;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8').trim();
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
