import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildWhenStale, ROOT } from './local/build.js';
import { runMain } from './local/refusal.js';
import { startLocalServices } from './local/services.js';

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {string} command run by sh in the project's folder
 * @property {string} [onlyWith] a program without which there is nothing to check
 */

/**
 * Those that take longest come first, so that none of them runs alone in the end.
 * @type {Check[]}
 */
const CHECKS = [
  { name: 'lint', command: 'eslint --max-warnings 0 .' },
  { name: 'types', command: 'tsc -p test && tsc -p deploy && tsc -p src/core/ui/client' },
  { name: 'format', command: 'prettier --check --log-level warn .' },
  { name: 'architecture', command: 'node deploy/run-tests.js test/architecture test/docs.spec' },
  { name: 'migrations', command: 'node deploy/check-migrations.js' },
  { name: 'docs', command: 'vitepress build docs' },
  { name: 'openapi', command: 'node deploy/openapi.js --check' },
  { name: 'node-versions', command: 'node deploy/check-node-versions.js' },
  {
    name: 'compose',
    command: 'docker-compose -f compose.yaml config -q',
    onlyWith: 'docker-compose',
  },
  { name: 'dockerfile', command: 'deploy/try-dockerfile.sh' },
];

/** `npm run check [-- name …]`: every check (or those named), also after one has failed. */
async function main() {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) {
    console.error(`no such check: ${unknown.join(', ')}; there are ${namesOf(CHECKS)}`);
    return 1;
  }
  const services = await startLocalServices({
    purpose: 'test',
    durable: false,
    databaseUrl: process.env.TEST_ADMIN_DATABASE_URL,
    redisUrl: process.env.TEST_REDIS_URL,
  });
  process.env.TEST_ADMIN_DATABASE_URL = services.databaseUrl;
  process.env.TEST_REDIS_URL = services.redisUrl;
  try {
    await buildWhenStale();
    const selected = CHECKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
    return await runAll(selected);
  } finally {
    await services.stop();
  }
}

/**
 * As many at a time as there are cores; each runs on one, mostly.
 * @param {Check[]} checks
 */
async function runAll(checks) {
  const waiting = [...checks];
  let failures = 0;
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      if (check.onlyWith && !isOnPath(check.onlyWith)) {
        console.log(`none  ${check.name}: no ${check.onlyWith} on this machine`);
      } else if (!(await passes(check))) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(failures === 0 ? 'All checks passed.' : `${failures} check(s) failed.`);
  return failures === 0 ? 0 : 1;
}

/** @param {Check} check */
async function passes({ name, command }) {
  const startedAt = performance.now();
  const { code, output } = await run(command);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok   ' : 'FAIL '} ${name.padEnd(13)} ${seconds.padStart(5)} s`);
  if (code !== 0) console.log(output.trim().replace(/^/gm, '      '));
  return code === 0;
}

/**
 * @param {string} command
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(command) {
  const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: ROOT,
      env: { ...process.env, PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** @param {string} program */
function isOnPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** @param {Check[]} checks */
function namesOf(checks) {
  return checks.map(({ name }) => name).join(', ');
}

await runMain(main);
