import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startGuarded } from './guarded-process.js';
import { redisEnvironment } from './redis-program.js';
import { startWithRetries } from './start-server.js';

/**
 * @typedef {object} RedisOptions
 * @property {import('./redis-program.js').RedisProgram} program
 * @property {string} folder
 * @property {string} logFile
 * @property {boolean} durable append-only file on
 * @property {string} [ownerFile]
 * @property {number} [port] a free one unless it is given
 * @property {string} [password] a new one unless it is given
 * @property {boolean} temporary the folder goes when the server ends
 */

/**
 * Starts a private Redis (or Valkey) on a port of 127.0.0.1.
 * @param {RedisOptions} options
 * @returns {Promise<{ url: string, process: import('./guarded-process.js').GuardedProcess }>}
 */
export async function startRedis(options) {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const password = options.password ?? randomBytes(24).toString('base64url');
  return startWithRetries({
    name: 'Redis',
    logFile: options.logFile,
    ...(options.port !== undefined && { port: options.port }),
    launch: (port) => launch(options, { port, password }),
    urlOf: (port) => `redis://:${password}@127.0.0.1:${port}`,
    isReady: answersPing,
  });
}

/**
 * @param {RedisOptions} options
 * @param {{ port: number, password: string }} access
 */
function launch(options, { port, password }) {
  const configuration = join(options.folder, 'redis.conf');
  // In a file and not in arguments, which every user of the machine can read.
  writeFileSync(configuration, settings(options, { port, password }), { mode: 0o600 });
  const output = openSync(options.logFile, 'a', 0o600);
  try {
    return startGuarded({
      command: options.program.command,
      env: redisEnvironment(options.program),
      args: [configuration],
      output: [output, output],
      stopSignal: 'TERM',
      graceSeconds: 10,
      ownerFile: options.ownerFile,
      removeFolder: options.temporary ? options.folder : undefined,
    });
  } finally {
    closeSync(output);
  }
}

/**
 * @param {RedisOptions} options
 * @param {{ port: number, password: string }} access
 */
function settings({ folder, durable }, { port, password }) {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    `appendonly ${durable ? 'yes' : 'no'}`,
    'save ""',
    // Bull's rows must never be evicted.
    'maxmemory-policy noeviction',
    '',
  ].join('\n');
}

/**
 * @param {string} url
 * @returns {Promise<boolean>}
 */
function answersPing(url) {
  const { port, password } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' });
    socket.setTimeout(2000, () => socket.destroy());
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (!answer.includes('PONG') && !answer.includes('-')) return;
      resolve(answer.includes('PONG'));
      socket.destroy();
    });
    socket.write(`AUTH ${password}\r\nPING\r\n`);
  });
}
