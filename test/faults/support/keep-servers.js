import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '../../../deploy/local/ports.js';
import { postgresBinaries } from '../../../deploy/local/postgres-binaries.js';
import { postgresIdentity } from '../../../deploy/local/postgres-user.js';
import { ensureDatabase, startPostgres } from '../../../deploy/local/postgres.js';
import { poll } from '../../../deploy/local/processes.js';
import { redisProgram } from '../../../deploy/local/redis-program.js';
import { startRedis } from '../../../deploy/local/redis.js';

/**
 * Keeps a durable PostgreSQL and Redis below the folder of the first argument, each always at
 * the same address, and kills and starts them as the parent process asks. They end with it.
 * It is a process of its own because Jest's modules cannot load what finds the programs.
 *
 * @typedef {'database' | 'queue'} Name
 * @typedef {{ id: number, verb: 'kill' | 'start', name: Name }} Order
 * @typedef {import('../../../deploy/local/guarded-process.js').GuardedProcess} GuardedProcess
 * @typedef {{ url: string, process: GuardedProcess }} Server
 */

const folder = process.argv[2] ?? '';

/** @type {Record<Name, () => Promise<Server>>} */
const recipes = { database: await postgresRecipe(), queue: await redisRecipe() };

/** @type {Record<Name, Server>} */
const running = { database: await recipes.database(), queue: await recipes.queue() };

async function postgresRecipe() {
  const identity = postgresIdentity();
  const options = {
    binaries: postgresBinaries(identity, folder),
    identity,
    folder: join(folder, 'postgres'),
    passwordFile: join(folder, 'postgres-password'),
    logFile: join(folder, 'postgres.log'),
    durable: true,
    temporary: false,
    port: await freePort(),
  };
  return () => startPostgres(options);
}

async function redisRecipe() {
  const options = {
    program: redisProgram(),
    folder: join(folder, 'redis'),
    logFile: join(folder, 'redis.log'),
    durable: true,
    temporary: false,
    port: await freePort(),
    password: randomBytes(24).toString('base64url'),
  };
  return () => startRedis(options);
}

/**
 * SIGKILL to the server and everything it started, as when the machine loses it.
 * @param {GuardedProcess} guarded
 */
async function kill({ guardPid, exited }) {
  const table = processTable();
  const server = table.find(({ parent, command }) => parent === guardPid && command !== 'sh');
  if (!server) throw new Error('the server is not running');
  const all = [
    server.pid,
    ...table.filter(({ parent }) => parent === server.pid).map(({ pid }) => pid),
  ];
  for (const pid of all) killOne(pid);
  await exited;
  // PostgreSQL refuses to start while a process of the old one holds its shared memory.
  await poll(() => !processTable().some(({ pid }) => all.includes(pid)), {
    seconds: 10,
    everyMs: 5,
  });
}

/** @param {number} pid */
function killOne(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Children end by themselves when they notice that their parent is gone.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

function processTable() {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' }).split(
    '\n',
  );
  return lines.flatMap((line) => {
    const [pid, parent, state = 'Z', command] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** @param {Order} order */
async function obey({ verb, name }) {
  if (verb === 'kill') await kill(running[name].process);
  else running[name] = await recipes[name]();
}

process.on('message', (message) => {
  const order = /** @type {Order} */ (message);
  obey(order).then(
    () => process.send?.({ id: order.id }),
    (error) => process.send?.({ id: order.id, error: String(error) }),
  );
});
process.on('disconnect', async () => {
  await Promise.all([running.queue.process.stop(), running.database.process.stop()]);
  process.exit();
});
process.send?.({
  id: 0,
  databaseUrl: await ensureDatabase(running.database.url, 'guildhall'),
  redisUrl: running.queue.url,
});
