import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { AlertLedger } from './support/alert-ledger.js';
import { AlertOracle } from './support/alert-oracle.js';
import { makeAlertPlace } from './support/alert-place.js';
import { WebhookPoster } from './support/alert-post.js';
import { AlertSender } from './support/alert-sender.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';
import { killInTheMiddle } from './support/storm.js';

const SENDERS = 16;
const BETWEEN = 200;
const SUSPENSIONS = scaled(5);
const SUSPENDED_MS = 10_000;
/** Maximum time that a process suspended in a transaction can block others. */
const HELD_UP_MS = 6_000;
const TIME_MS = 300_000;

let stack: FaultStack;
let peerUrl: string;
beforeAll(async () => {
  stack = await FaultStack.start();
  peerUrl = await stack.startPeer();
}, 240_000);
afterAll(() => stack.stop());

/** SIGSTOP while a transaction of the process is open. */
async function suspendInTransaction(): Promise<void> {
  await eventually(
    async () => {
      await stack.webProcess.pause();
      await delay(300);
      const open = await stack.rows(
        `SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction'
           AND backend_xid IS NOT NULL AND state_change < now() - interval '250 ms'`,
      );
      if (open.length === 0) stack.webProcess.resume();
      return open.length > 0;
    },
    { seconds: 60 },
  );
}

describe('two web processes that get the same alerts', () => {
  it(
    `lose and double nothing while one is suspended for ${SUSPENDED_MS} ms, ${SUSPENSIONS} times`,
    async () => {
      const place = await makeAlertPlace(stack, { owner: await stack.makeAdmin() });
      const poster = new WebhookPoster(SENDERS);
      const ledger = new AlertLedger();
      const pauses: number[] = [];
      const senders = Array.from({ length: SENDERS }, (_, at) => {
        const to = at % 2 === 0 ? stack.url : peerUrl;
        const common = { place, poster, ledger, name: `sender-${at}` };
        return new AlertSender({ ...common, at: { from: stack.url, to } });
      });
      const atPeer = senders.filter((_, at) => at % 2 === 1);
      const acknowledged = (): number => atPeer.reduce((sum, one) => sum + one.acknowledged, 0);
      const suspend = async (): Promise<void> => {
        await suspendInTransaction();
        const begun = performance.now();
        const before = acknowledged();
        await eventually(() => acknowledged() > before + SENDERS, { seconds: 60, everyMs: 5 });
        pauses.push(Math.round(performance.now() - begun));
        await delay(Math.max(0, SUSPENDED_MS - (performance.now() - begun)));
        stack.webProcess.resume();
      };
      await killInTheMiddle(senders, { kill: suspend, kills: SUSPENSIONS, between: BETWEEN });
      poster.close();
      const [stored, untold] = [ledger.count('stored'), ledger.count('untold')];
      console.log(
        `${SUSPENSIONS} suspensions: ${stored} calls acknowledged, ${untold} with 503; ` +
          `the other process went on after ${pauses.join(', ')} ms`,
      );
      expect(senders.flatMap(({ oddities }) => oddities)).toEqual([]);
      (await AlertOracle.read(stack, ledger)).assertAll();
      expect(Math.max(...pauses)).toBeLessThan(HELD_UP_MS);
    },
    TIME_MS,
  );
});
