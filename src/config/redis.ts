import { createSecureContext } from 'node:tls';
import type { EnvReader } from './env-reader.js';

/** TLS options for Redis in PEM format. */
interface RedisTls {
  /** Trusted certificate authorities instead of Node's defaults. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Redis as REDIS_URL describes it. */
export interface RedisConfig {
  /** One server, the sentinels that name it, or some nodes of a cluster. */
  readonly kind: 'server' | 'sentinel' | 'cluster';
  readonly nodes: readonly RedisNode[];
  /** Service that the sentinels monitor. */
  readonly service?: string;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  /** Undefined without TLS. */
  readonly tls?: RedisTls;
}

const WITHOUT_REDIS = 'none';
const SCHEMES = 'redis://, rediss://, redis+sentinel:// or redis+cluster://';
const REDIS_URL = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^/]*)@)?([^/@]+)(\/.*)?$/;
const DEFAULT_PORTS = { server: 6379, sentinel: 26_379, cluster: 6379 };
const MAX_NODES = 100;

/**
 * Reads `REDIS_URL`, the credentials for its sentinels, and `REDIS_TLS_…`. Returns null for `none`:
 * the database alone drives background work, and nothing is rate limited.
 */
export function readRedis(reader: EnvReader): RedisConfig | null {
  const text = reader.secret('REDIS_URL');
  const tls = readTls(reader);
  if (text === undefined) {
    if (reader.text('REDIS_URL_FILE') === undefined) reader.addError('REDIS_URL', 'is required');
    return null;
  }
  if (text === WITHOUT_REDIS) return null;
  const parsed = parseRedisUrl(text);
  if (typeof parsed === 'string') {
    reader.addError('REDIS_URL', parsed);
    return null;
  }
  const hasTls = text.startsWith('rediss');
  if (!hasTls && Object.keys(tls).length > 0) {
    reader.addError('REDIS_URL', 'must start with rediss when REDIS_TLS_* is set');
  }
  return { ...parsed, ...readSentinelAccess(reader), ...(hasTls && { tls }) };
}

/** Returns the problem as text. */
function parseRedisUrl(url: string): RedisConfig | string {
  const [, , cluster, access, hosts = '', path = ''] = REDIS_URL.exec(url) ?? [];
  if (hosts === '') return `must be a URL that starts with ${SCHEMES}`;
  if (/[?#]/.test(`${hosts}${path}`)) return 'must have no query or fragment';
  const kind = (cluster ?? 'server') as RedisConfig['kind'];
  const nodes = hosts.split(',').map((host) => parseNode(host, DEFAULT_PORTS[kind]));
  const isCountWrong = kind === 'server' ? nodes.length > 1 : nodes.length > MAX_NODES;
  if (nodes.includes(null) || isCountWrong)
    return 'must name a host, for sentinels or a cluster several';
  const parts = path.split('/').slice(1);
  const service = kind === 'sentinel' ? parts.shift() : undefined;
  if (kind === 'sentinel' && !service) return 'must name the service of the sentinels: …/mymaster';
  const [db = '', ...rest] = parts;
  if (rest.length > 0 || !/^\d{0,5}$/.test(db)) return 'must end with a database number';
  if (kind === 'cluster' && Number(db) > 0)
    return 'must have no database number: clusters have one';
  const credentials = parseAccess(access);
  if (credentials === null) return 'must have percent-encoded credentials';
  return {
    kind,
    nodes: nodes.filter((node) => node !== null),
    ...(service !== undefined && { service }),
    db: Number(db),
    ...credentials,
  };
}

/** Returns null for what is no host with an optional port. */
function parseNode(text: string, defaultPort: number): RedisNode | null {
  const url = `http://${text}`;
  if (!URL.canParse(url)) return null;
  // The protocol's own port would be left out.
  const port = /:(\d+)$/.exec(text)?.[1];
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === undefined ? defaultPort : Number(port) };
}

function parseAccess(text = ''): Pick<RedisConfig, 'username' | 'password'> | null {
  const [, user = '', secret = ''] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  try {
    const [username, password] = [decodeURIComponent(user), decodeURIComponent(secret)];
    return { ...(username !== '' && { username }), ...(password !== '' && { password }) };
  } catch {
    return null;
  }
}

function readSentinelAccess(
  reader: EnvReader,
): Pick<RedisConfig, 'sentinelUsername' | 'sentinelPassword'> {
  const sentinelUsername = reader.text('REDIS_SENTINEL_USERNAME');
  const sentinelPassword = reader.secret('REDIS_SENTINEL_PASSWORD');
  return {
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
  };
}

function readTls(reader: EnvReader): RedisTls {
  const [ca, cert, key] = ['CA', 'CERT', 'KEY'].map((name) => {
    const pem = reader.secret(`REDIS_TLS_${name}`)?.replaceAll('\\n', '\n');
    if (pem !== undefined && !isPem(pem)) reader.addError(`REDIS_TLS_${name}`, 'must be PEM');
    return pem;
  });
  if ((cert === undefined) !== (key === undefined)) {
    reader.addError('REDIS_TLS_CERT', 'and REDIS_TLS_KEY must be set together');
  }
  const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  if (!isUsable(tls)) reader.addError('REDIS_TLS_CERT', 'and REDIS_TLS_KEY must match');
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
