import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { interleave } from './support/figures.js';
import { formsPerSecond, slowAnswer } from './support/load.js';
import { startStack } from './support/stack.js';

const USERS = 64;
const ROUNDS = 5;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = 5;
const PASSWORD = 'plum-orbit-kettle-42';
/** As `src/core/passwords.ts` hashes. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Signing in with a password: how many a second, beside the hash alone on all cores, and what
 * other requests feel of it.
 */
export async function run() {
  const stack = await startStack();
  try {
    const users = await makeUsers(stack);
    const login = loginTarget(stack, users);
    const version = { url: `${stack.url}/api/v4/version`, token: stack.token };
    const logins = () => formsPerSecond(login, ROUND_SECONDS);
    await formsPerSecond(login, WARM_UP_SECONDS);
    const rate = await interleave({ rounds: ROUNDS, ours: logins, peer: hashesPerSecond });
    const latency = await interleave({
      rounds: ROUNDS,
      ours: async () => {
        const [slow] = await Promise.all([slowAnswer(version, ROUND_SECONDS), logins()]);
        return slow;
      },
      peer: () => slowAnswer(version, ROUND_SECONDS),
    });
    return [
      row('password grant', '1/s', rate, { name: 'argon2id alone, all cores', target: '>= 0.85' }),
      row('GET /api/v4/version during sign-ins, p99', 'ms', latency, {
        name: 'nobody signs in',
        target: '<= 2',
      }),
    ];
  } finally {
    await stack.stop();
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @returns {Promise<string[]>} their usernames
 */
async function makeUsers(stack) {
  const names = Array.from({ length: USERS }, (_, index) => `bench-user-${index}`);
  for (const username of names) {
    const email = `${username}@bench.example`;
    const account = { username, name: `Number ${username}`, email, password: PASSWORD };
    await stack.api('POST', '/users', { ...account, skip_confirmation: true });
  }
  return names;
}

/**
 * One after the other, so that no account waits for itself.
 * @param {import('./support/stack.js').Stack} stack
 * @param {string[]} users
 */
function loginTarget({ url }, users) {
  let turn = 0;
  const next = () => {
    turn += 1;
    const username = users[turn % users.length] ?? '';
    return { grant_type: 'password', username, password: PASSWORD };
  };
  return { url: `${url}/oauth/token`, next };
}

/** Passwords that this machine can check when it does nothing else. */
async function hashesPerSecond() {
  const digest = await hash(PASSWORD, OPTIONS);
  const end = performance.now() + ROUND_SECONDS * 1_000;
  const checkOn = async () => {
    let count = 0;
    while (performance.now() < end) {
      await verify(digest, PASSWORD);
      count += 1;
    }
    return count;
  };
  const counts = await Promise.all(Array.from({ length: availableParallelism() }, checkOn));
  return counts.reduce((sum, count) => sum + count, 0) / ROUND_SECONDS;
}

/**
 * @param {string} name
 * @param {string} metric
 * @param {{ ours: number, peer: number }} figures
 * @param {{ name: string, target: string }} peer
 */
function row(name, metric, figures, peer) {
  const ratio = figures.ours / figures.peer;
  return { name, metric, ...figures, peerName: peer.name, ratio, target: peer.target };
}
