import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { holdDataFolder, markFolder, readMark } from './data-folder.js';
import { postgresBinaries } from './postgres-binaries.js';
import { canEnter, postgresIdentity } from './postgres-user.js';
import { ensureDatabase, startPostgres } from './postgres.js';
import { findRedis, REDIS_BY_HAND, redisProgram } from './redis-program.js';
import { startRedis } from './redis.js';
import { Refusal } from './refusal.js';

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/**
 * @typedef {object} LocalServicesOptions
 * @property {'start' | 'test' | 'bench'} purpose
 * @property {boolean} durable
 * @property {string} [dataDir] without it the data is temporary and goes with the servers
 * @property {string} [databaseUrl] given: no PostgreSQL is started
 * @property {string} [redisUrl] given: no Redis is started
 *
 * @typedef {object} LocalServices
 * @property {string} databaseUrl of the database `guildhall`; for tests of `postgres`
 * @property {string} redisUrl `none` when a start finds no Redis
 * @property {() => Promise<void>} stop Redis first, then PostgreSQL
 *
 * @typedef {Awaited<ReturnType<typeof startPostgres>>} Server
 */

/**
 * Starts private servers for what has no URL yet. They end with `stop`, and also when this
 * process ends in any other way.
 * @param {LocalServicesOptions} options
 * @returns {Promise<LocalServices>}
 */
export async function startLocalServices(options) {
  const { databaseUrl, redisUrl } = options;
  if (options.dataDir === undefined && databaseUrl && redisUrl) {
    return { databaseUrl, redisUrl, stop: async () => undefined };
  }
  const place = await preparePlace(options);
  /** @type {Array<() => Promise<void>>} */
  const undo = [async () => place.leave()];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const program = redisUrl ? null : programFor(place);
    const starting = [
      databaseUrl ? undefined : openPostgres(place, options),
      program ? openRedis(place, { ...options, program }) : undefined,
    ];
    for (const result of await Promise.allSettled(starting)) {
      const { value } = /** @type {PromiseFulfilledResult<Server | undefined>} */ (result);
      if (value) undo.push(() => value.process.stop());
    }
    const [postgres, redis] = await Promise.all(starting);
    const own = postgres && (await databaseFor(options.purpose, postgres.url));
    return {
      databaseUrl: databaseUrl ?? own ?? '',
      redisUrl: redisUrl ?? redis?.url ?? 'none',
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * A start goes on without Redis, tests cannot.
 * @param {Place} place
 */
function programFor({ folder, temporary }) {
  if (temporary) return redisProgram();
  const program = findRedis(folder);
  if (program === null) {
    console.error(
      `guildhall: no Redis: jobs start seconds later, and there are no rate limits. Set REDIS_URL, or ${REDIS_BY_HAND}`,
    );
  }
  return program;
}

/**
 * Tests make and drop databases of their own.
 * @param {LocalServicesOptions['purpose']} purpose
 * @param {string} url
 */
async function databaseFor(purpose, url) {
  return purpose === 'test' ? url : ensureDatabase(url, 'guildhall');
}

/** @typedef {{ folder: string, temporary: boolean, leave: () => void }} Place */

/**
 * @param {LocalServicesOptions} options
 * @returns {Promise<Place>}
 */
async function preparePlace({ dataDir, purpose, databaseUrl }) {
  if (dataDir !== undefined) {
    const folder = resolve(dataDir);
    const { release } = await holdDataFolder(folder, { version });
    return { folder, temporary: false, leave: release };
  }
  const identity = databaseUrl ? {} : postgresIdentity();
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find((path) => canEnter(path, identity));
  if (!parent) throw new Refusal('the user of PostgreSQL can enter no temporary folder');
  const folder = mkdtempSync(join(parent, `guildhall-${purpose}-`));
  // Owned by the server's user: its guard removes the folder when we were killed.
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid ?? identity.uid);
  return { folder, temporary: true, leave: () => removeTemporary(folder) };
}

/** @param {string} folder */
function removeTemporary(folder) {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {Place} place
 * @param {LocalServicesOptions} options
 */
async function openPostgres({ folder, temporary }, { durable }) {
  const identity = postgresIdentity();
  const home = postgresHome(folder, identity);
  const binaries = postgresBinaries(identity, home);
  // Once chosen, a place outside is kept: rights of the folders above ours may change.
  const outside = readMark(folder).postgresFolder;
  const cluster = outside ?? join(home, 'postgres');
  if (!temporary) {
    const isOutside = outside !== undefined || home !== folder;
    const mark = { version, postgresMajor: binaries.major };
    markFolder(folder, isOutside ? { ...mark, postgresFolder: cluster } : mark);
  }
  return startPostgres({
    binaries,
    identity,
    folder: cluster,
    passwordFile: join(folder, 'postgres-password'),
    logFile: join(folder, 'postgres.log'),
    durable,
    temporary,
    ...(temporary ? {} : { ownerFile: join(folder, 'postgres.owner') }),
  });
}

/**
 * Where PostgreSQL's files go: below the data folder, or, when the user it runs as cannot
 * enter that (a checkout in root's home), in a folder of the system.
 * @param {string} folder
 * @param {import('./postgres-user.js').Identity} identity
 */
function postgresHome(folder, identity) {
  if (canEnter(folder, identity)) return folder;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const home = join('/var/lib/guildhall', name);
  mkdirSync(home, { recursive: true, mode: 0o711 });
  console.error(
    `guildhall: PostgreSQL runs as user "postgres", who cannot enter ${folder}; its data is in ${home}`,
  );
  return home;
}

/**
 * @param {Place} place
 * @param {LocalServicesOptions & { program: import('./redis-program.js').RedisProgram }} options
 */
function openRedis({ folder, temporary }, { durable, program }) {
  return startRedis({
    program,
    folder: join(folder, 'redis'),
    logFile: join(folder, 'redis.log'),
    durable,
    temporary,
    ...(temporary ? {} : { ownerFile: join(folder, 'redis.owner') }),
  });
}
