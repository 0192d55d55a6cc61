import { createPrivateKey } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { EnvReader } from './env-reader.js';

/** Signs emails for a domain whose DNS holds the public key under the selector (RFC 6376). */
export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  /** PEM. */
  readonly privateKey: string;
}

/** Email delivery configuration. */
export interface MailConfig {
  /** Emails are logged if unset. */
  readonly smtpUrl?: string;
  /** Connections of each worker; as many emails can come twice when one is killed. */
  readonly smtpConnections: number;
  readonly mailFrom: string;
  readonly dkim?: DkimConfig;
}

/** In the root of each storage; without it, the storage is not mounted. */
export const STORAGE_METADATA_FILE = '.svc-metadata';

const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
const SELECTOR = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/** Reads SMTP_URL, SMTP_CONNECTIONS, MAIL_FROM and DKIM_…; noreply at our host is the sender. */
export function readMail(reader: EnvReader, baseUrl: string): MailConfig {
  const smtpUrl = reader.url('SMTP_URL', ['smtp:', 'smtps:'], reader.secret('SMTP_URL'));
  const mailFrom = reader.text('MAIL_FROM');
  if (mailFrom !== undefined && !/^[^\r\n@]*[^\s@]@[^\s@]+$/.test(mailFrom)) {
    reader.addError('MAIL_FROM', 'must be an address such as Guildhall <noreply@example.com>');
  }
  return {
    ...(smtpUrl !== undefined && { smtpUrl }),
    smtpConnections: reader.integer('SMTP_CONNECTIONS', { fallback: 8, min: 1, max: 100 }),
    mailFrom: mailFrom ?? `Guildhall <noreply@${new URL(baseUrl).hostname}>`,
    ...readDkim(reader),
  };
}

function readDkim(reader: EnvReader): Pick<MailConfig, 'dkim'> {
  const domain = reader.text('DKIM_DOMAIN');
  const selector = reader.text('DKIM_SELECTOR');
  const privateKey = reader.secret('DKIM_PRIVATE_KEY')?.replaceAll('\\n', '\n');
  if (domain === undefined && selector === undefined && privateKey === undefined) return {};
  if (domain === undefined || selector === undefined || privateKey === undefined) {
    reader.addError('DKIM_DOMAIN', 'requires DKIM_SELECTOR and DKIM_PRIVATE_KEY');
    return {};
  }
  if (!DOMAIN.test(domain)) reader.addError('DKIM_DOMAIN', 'must be a domain such as example.com');
  if (!SELECTOR.test(selector)) reader.addError('DKIM_SELECTOR', 'must be a name such as mail2026');
  if (!isPrivateKey(privateKey)) {
    reader.addError('DKIM_PRIVATE_KEY', 'must be an RSA private key as PEM');
  }
  return { dkim: { domain, selector, privateKey } };
}

/** System that receives a copy of every audit event. */
export interface AuditStreamConfig {
  /** http(s), `syslog+tcp://host:port` or `syslog+udp://host:port`. */
  readonly url: string;
  /** Bearer token of the webhook. */
  readonly token?: string;
}

/** Reads AUDIT_STREAM_URL and AUDIT_STREAM_TOKEN. */
export function readAuditStream(reader: EnvReader): { auditStream?: AuditStreamConfig } {
  const name = 'AUDIT_STREAM_URL';
  const protocols = ['https:', 'http:', 'syslog+tcp:', 'syslog+udp:'];
  const url = reader.url(name, protocols, reader.secret(name));
  const token = reader.secret('AUDIT_STREAM_TOKEN');
  if (url === undefined) return {};
  const { protocol, port, username } = new URL(url);
  if (protocol.startsWith('syslog') && port === '') reader.addError(name, 'must name the port');
  if (username !== '') reader.addError(name, 'must have no credentials: set AUDIT_STREAM_TOKEN');
  return { auditStream: { url, ...(token !== undefined && { token }) } };
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    // Node's message quotes parts of the key.
    return false;
  }
}

/** One repository storage: its folder, and its share of new repositories (0 takes none). */
export interface StorageConfig {
  readonly path: string;
  readonly weight: number;
}

export type StoragesConfig = Readonly<Record<string, StorageConfig>>;

const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const MAX_WEIGHT = 100;

/**
 * `STORAGES`: JSON such as `{"default":{"path":"/srv/a","weight":100}}`.
 * When unset there are two below the data folder, so that moves can be tried at once.
 */
export function readStorages(reader: EnvReader, dataDir: string): StoragesConfig {
  const text = reader.text('STORAGES');
  if (text === undefined) return defaultStorages(dataDir);
  const parsed = parseObject(text);
  if (parsed === null) {
    reader.addError('STORAGES', 'must be a JSON object of storages');
    return {};
  }
  const entries = Object.entries(parsed).flatMap(([name, value]) => {
    const storage = readStorage(reader, name, value);
    return storage === null ? [] : [[name, storage] as const];
  });
  checkTogether(reader, entries);
  return Object.fromEntries(entries);
}

function defaultStorages(dataDir: string): StoragesConfig {
  return {
    default: { path: join(dataDir, 'storages', 'default'), weight: 100 },
    storage2: { path: join(dataDir, 'storages', 'storage2'), weight: 0 },
  };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    // The parser's message quotes the text.
    return null;
  }
}

function readStorage(reader: EnvReader, name: string, value: unknown): StorageConfig | null {
  if (!NAME_PATTERN.test(name)) {
    reader.addError('STORAGES', `has a storage with an unusable name: ${JSON.stringify(name)}`);
    return null;
  }
  const { path, weight = MAX_WEIGHT } = (value ?? {}) as { path?: unknown; weight?: unknown };
  if (typeof path !== 'string' || path === '') {
    reader.addError('STORAGES', `needs a path for ${name}`);
    return null;
  }
  if (!Number.isInteger(weight) || Number(weight) < 0 || Number(weight) > MAX_WEIGHT) {
    reader.addError('STORAGES', `needs a weight from 0 to ${MAX_WEIGHT} for ${name}`);
    return null;
  }
  return { path: resolve(path), weight: Number(weight) };
}

function checkTogether(reader: EnvReader, entries: (readonly [string, StorageConfig])[]): void {
  if (!entries.some(([, { weight }]) => weight > 0)) {
    reader.addError('STORAGES', 'needs at least one storage with a weight above 0');
  }
  for (const [name, { path }] of entries) {
    const outer = entries.find(([other, { path: otherPath }]) => {
      return other !== name && (path === otherPath || path.startsWith(`${otherPath}/`));
    });
    if (outer) reader.addError('STORAGES', `has ${name} in the same folder as ${outer[0]}`);
  }
}

/** The SDK of OpenTelemetry reads the address itself; here a wrong one is refused. */
export function readIsTraced(reader: EnvReader): boolean {
  const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const given = names.filter((name) => reader.text(name) !== undefined);
  for (const name of given) reader.url(name, ['http:', 'https:'], reader.text(name));
  return given.length > 0;
}

/** Addresses of PostgreSQL. */
export interface DatabaseConfig {
  readonly databaseUrl: string;
  /** Streaming replica that answers reads of requests; undefined: there is none. */
  readonly databaseReplicaUrl?: string;
}

const PROTOCOLS = ['postgres:', 'postgresql:'];

/** Reads DATABASE_URL and DATABASE_REPLICA_URL. */
export function readDatabase(reader: EnvReader): DatabaseConfig {
  const databaseUrl = reader.requiredUrl('DATABASE_URL', PROTOCOLS);
  const name = 'DATABASE_REPLICA_URL';
  const databaseReplicaUrl = reader.url(name, PROTOCOLS, reader.secret(name));
  if (databaseReplicaUrl === undefined) return { databaseUrl };
  // In Redis the processes tell each other who has written.
  if (reader.text('REDIS_URL') === 'none')
    reader.addError(name, 'requires REDIS_URL to name a Redis');
  return { databaseUrl, databaseReplicaUrl };
}
