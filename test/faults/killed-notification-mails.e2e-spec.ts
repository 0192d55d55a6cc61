import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { MailTrap } from './support/mail-trap.js';
import { redisCommand } from './support/redis-command.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';
import { makeWatchedIssue } from './support/watched-issue.js';

const KILLS = scaled(50);
const WATCHERS = KILLS * 40;
const CONNECTIONS = 4;
const TIME_MS = 240_000 + KILLS * 20_000;

let stack: FaultStack;
let trap: MailTrap;
beforeAll(async () => {
  [stack, trap] = await Promise.all([FaultStack.start(), MailTrap.start()]);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await trap.goAway();
});

const startWorker = () =>
  stack.startWorker(undefined, {
    SMTP_URL: trap.url,
    SMTP_CONNECTIONS: String(CONNECTIONS),
  });

/** Ends the leases of a killed worker, which would expire after five minutes. */
const endLeases = () =>
  stack.rows(
    `UPDATE outgoing_mails SET not_before = now() WHERE state = 'queued' AND not_before > now()`,
  );

describe(`workers killed ${KILLS} times while ${WATCHERS} people are notified of an issue`, () => {
  it(
    'notify everyone, and at most as many twice per kill as there are connections',
    async () => {
      await (await makeWatchedIssue(stack, WATCHERS)).tell();
      for (let kill = 0; kill < KILLS; kill += 1) {
        // Every other time in the only window that SMTP leaves open: taken, but not answered.
        trap.isSilent = kill % 2 === 0;
        const victim = startWorker();
        const enough = trap.recipients.length + (trap.isSilent ? CONNECTIONS : 3 + kill);
        await eventually(() => trap.recipients.length >= enough, { seconds: 60, everyMs: 1 });
        await victim.kill();
        if (kill % 5 === 0) await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
        await endLeases();
      }
      trap.answer();
      startWorker();
      await eventually(
        async () => {
          const rows = await stack.rows(
            `SELECT state, count(*)::int AS mails FROM outgoing_mails GROUP BY state`,
          );
          expect(rows).toEqual([{ state: 'sent', mails: WATCHERS }]);
        },
        { seconds: 120 },
      );
      const told = new Set(trap.recipients);
      const twice = trap.recipients.length - told.size;
      console.log(`${KILLS} kills: ${told.size} people told, ${twice} mails came twice`);
      expect(told.size).toBe(WATCHERS);
      expect(twice).toBeLessThanOrEqual(KILLS * CONNECTIONS);
    },
    TIME_MS,
  );
});
