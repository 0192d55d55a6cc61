import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { MailTrap } from './support/mail-trap.js';
import { redisCommand } from './support/redis-command.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';
import { makeWatchedIssue, type WatchedIssue } from './support/watched-issue.js';

const WATCHERS = 300;
const CONNECTIONS = 4;
const AWAY_SECONDS = scaled(120);
const TIME_MS = 600_000;

let stack: FaultStack;
let trap: MailTrap;
let issue: WatchedIssue;
/** Notifications so far. */
let told = 0;
beforeAll(async () => {
  [stack, trap] = await Promise.all([FaultStack.start(), MailTrap.start()]);
  issue = await makeWatchedIssue(stack, WATCHERS);
}, 240_000);
afterEach(() => Promise.all(stack.workers.map((worker) => worker.kill())));
afterAll(async () => {
  await stack.stop();
  await trap.goAway();
});

const startWorker = () =>
  stack.startWorker(undefined, {
    SMTP_URL: trap.url,
    SMTP_CONNECTIONS: String(CONNECTIONS),
  });

async function tell(): Promise<void> {
  await issue.tell();
  told += 1;
}

async function untilAllAreSent(): Promise<void> {
  await eventually(
    async () => {
      const rows = await stack.rows(
        `SELECT state, count(*)::int AS mails FROM outgoing_mails GROUP BY state`,
      );
      expect(rows).toEqual([{ state: 'sent', mails: told * WATCHERS }]);
    },
    { seconds: 240, everyMs: 200 },
  );
}

/**
 * Returns the number of surplus notifications: a notification can reach a user once more than
 * necessary.
 */
function surplus(): number {
  const counts = new Map<string, number>();
  for (const one of trap.recipients) counts.set(one, (counts.get(one) ?? 0) + 1);
  expect(counts.size).toBe(WATCHERS);
  expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(told);
  return trap.recipients.length - told * WATCHERS;
}

describe(`a mail server that is away for ${AWAY_SECONDS} s while ${WATCHERS} people are notified`, () => {
  it(
    'gets the mails of before and of meanwhile, although Redis forgets all jobs',
    async () => {
      startWorker();
      await tell();
      await eventually(() => trap.recipients.length > 10, { seconds: 60, everyMs: 1 });
      await trap.goAway();
      const came = trap.recipients.length;
      await tell();
      await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
      await delay(AWAY_SECONDS * 1_000);
      await tell();
      await trap.comeBack();
      await untilAllAreSent();
      const twice = surplus();
      console.log(`away ${AWAY_SECONDS} s after ${came} mails: none lost, ${twice} came twice`);
      expect(came).toBeLessThan(WATCHERS);
      expect(twice).toBeLessThanOrEqual(CONNECTIONS);
    },
    TIME_MS,
  );
});

describe('notifications that wait while Redis is wiped', () => {
  it(
    'are sent once by the next worker',
    async () => {
      const before = trap.recipients.length;
      await tell();
      await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
      startWorker();
      await untilAllAreSent();
      expect(trap.recipients.length - before).toBe(WATCHERS);
    },
    TIME_MS,
  );
});
