import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { makeMember } from '../support/project-factories.js';
import {
  firing,
  makeAlertPlace,
  postItems,
  resolved,
  type AlertPlace,
} from './support/alert-place.js';
import { WebhookPoster } from './support/alert-post.js';
import type { FaultProcess } from './support/fault-process.js';
import {
  assertEnded,
  assertIncidents,
  NO_MAIL_SERVER,
  untilReacted,
  waitingMails,
  writeEmailsAtOnce,
} from './support/reaction-oracle.js';
import { redisCommand } from './support/redis-command.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';

const ALERTS = scaled(2_000);
/** Of the worker, while alerts fire; as often again while they recover. */
const KILLS = scaled(15);
const WIPES = scaled(20);
const TIME_MS = 600_000;

let stack: FaultStack;
let maintainer: MadeUser;
const poster = new WebhookPoster(4);
beforeAll(async () => {
  stack = await FaultStack.start();
  await writeEmailsAtOnce(stack);
  maintainer = await makeUser(stack);
}, 240_000);
afterEach(async () => {
  await Promise.all(stack.workers.map((worker) => worker.kill()));
});
afterAll(async () => {
  poster.close();
  await stack.stop();
});

/** With two readers of its emails. */
async function makePlace(): Promise<AlertPlace> {
  const owner = await stack.makeAdmin();
  const place = await makeAlertPlace(stack, { owner, sendEmail: true });
  await makeMember(stack, { project: place.project, user: maintainer, role: 'maintainer' });
  return place;
}

function startWorker(): FaultProcess {
  return stack.startWorker(undefined, NO_MAIL_SERVER);
}

/** A transaction of a worker has claimed reactions, or looks for some. */
async function isReacting(): Promise<boolean> {
  const locks = await stack.rows(
    `SELECT 1 FROM pg_locks
     WHERE relation = 'alert_reactions'::regclass AND mode = 'RowShareLock'`,
  );
  return locks.length > 0;
}

async function reactions(): Promise<number> {
  const [done] = await stack.rows<{ n: number }>(
    `SELECT (SELECT count(*) FROM outgoing_mails)::int + (SELECT count(*) FROM issues)::int
       + (SELECT count(*) FROM issues WHERE state = 'closed')::int AS n`,
  );
  return done?.n ?? 0;
}

/** Posts a part of the items with each kill, so that there is always something under way. */
async function killWhilePosting(place: AlertPlace, items: readonly unknown[]): Promise<void> {
  const part = Math.ceil(items.length / KILLS);
  for (let round = 0; round < KILLS; round += 1) {
    const before = await reactions();
    const posting = postItems(place, poster, items.slice(round * part, (round + 1) * part));
    const worker = startWorker();
    // Every other time in the middle of its first transaction, otherwise somewhere after it.
    const isTime =
      round % 2 === 0 ? isReacting : async (): Promise<boolean> => (await reactions()) > before;
    await eventually(isTime, { seconds: 60, everyMs: 1 });
    await delay(((round * 0.618_034) % 1) * 20);
    await worker.kill();
    await posting;
  }
}

/** Two workers at once do what is left. */
async function finish(): Promise<number> {
  const [left] = await stack.rows<{ n: number }>('SELECT count(*)::int AS n FROM alert_reactions');
  const last = [startWorker(), startWorker()];
  await untilReacted(stack);
  await Promise.all(last.map((worker) => worker.kill()));
  return left?.n ?? 0;
}

describe(`a worker killed ${2 * KILLS} times while ${ALERTS} incidents open and close`, () => {
  it(
    'opens and closes one of each alert, and writes each note and mail once',
    async () => {
      const place = await makePlace();
      const titles = Array.from({ length: ALERTS }, (_, at) => `alert-${at}`);
      await killWhilePosting(place, firing(titles));
      const leftOpening = await finish();
      await assertIncidents(stack, place, { alerts: ALERTS, closed: 0 });

      await killWhilePosting(place, resolved(titles));
      const leftClosing = await finish();
      await assertIncidents(stack, place, { alerts: ALERTS, closed: ALERTS });
      await assertEnded(stack, place, ALERTS);

      const mails = await waitingMails(stack);
      expect(new Set(mails).size).toBe(mails.length);
      // Of each alert two, for both readers.
      expect(mails).toHaveLength(4 * ALERTS);
      console.log(
        `${2 * KILLS} kills of the worker: ${ALERTS} incidents opened and closed, ${mails.length} ` +
          `mails written, none twice; ${leftOpening} and ${leftClosing} reactions left to the last`,
      );
    },
    TIME_MS,
  );
});

describe('a Redis that is wiped or away', () => {
  it(
    `costs no incident and no mail, wiped ${WIPES} times`,
    async () => {
      const place = await makePlace();
      const before = (await waitingMails(stack)).length;
      startWorker();
      for (let round = 0; round < WIPES; round += 1) {
        const titles = Array.from({ length: 10 }, (_, at) => `wiped-${round}-${at}`);
        const posting = postItems(place, poster, firing(titles));
        await delay(((round * 0.618_034) % 1) * 30);
        await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
        await posting;
        await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
      }
      await untilReacted(stack, 30);
      await assertIncidents(stack, place, { alerts: 10 * WIPES, closed: 0 });
      expect(await waitingMails(stack)).toHaveLength(before + 20 * WIPES);
    },
    TIME_MS,
  );

  it(
    'holds up neither the webhook nor the incidents',
    async () => {
      const place = await makePlace();
      startWorker();
      await postItems(place, poster, firing(['first']));
      await untilReacted(stack, 30);
      await stack.servers.kill('queue');
      const begun = performance.now();
      await postItems(place, poster, firing(Array.from({ length: 50 }, (_, at) => `away-${at}`)));
      const posted = performance.now() - begun;
      await untilReacted(stack, 30);
      const reacted = performance.now() - begun;
      await assertIncidents(stack, place, { alerts: 51, closed: 0 });
      console.log(
        `without Redis: 50 alerts acknowledged after ${Math.round(posted)} ms, ` +
          `their incidents open after ${Math.round(reacted)} ms`,
      );
      await stack.servers.restart('queue');
    },
    TIME_MS,
  );
});
