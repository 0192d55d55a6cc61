import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { monitoringBody } from '../support/alert-factories.js';
import { CALL_SIZE, firing, makeAlertPlace, type AlertPlace } from './support/alert-place.js';
import { isAnswered, WebhookPoster } from './support/alert-post.js';
import { assertIncidents, untilReacted } from './support/reaction-oracle.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';

const IDENTICAL = scaled(100_000);
const DIFFERENT = scaled(10_000);
/** Open calls: with 50 alerts each more than may wait in the process. */
const SENDERS = 600;
/** Of the web process, in MiB. */
const MEMORY_LIMIT = 640;
const TIME_MS = 600_000;

let stack: FaultStack;
const poster = new WebhookPoster(SENDERS);
beforeAll(async () => {
  stack = await FaultStack.start();
}, 240_000);
afterAll(async () => {
  poster.close();
  await stack.stop();
});

/** Titles of all alerts, the different ones evenly among the others, in calls. */
function stormCalls(): string[][] {
  const step = (IDENTICAL + DIFFERENT) / DIFFERENT;
  const titles: string[] = [];
  for (let at = 0; at < DIFFERENT; at += 1) {
    while (titles.length < at * step) titles.push('storm');
    titles.push(`storm-${at}`);
  }
  while (titles.length < IDENTICAL + DIFFERENT) titles.push('storm');
  const calls: string[][] = [];
  for (let at = 0; at < titles.length; at += CALL_SIZE)
    calls.push(titles.slice(at, at + CALL_SIZE));
  return calls;
}

/** Sends as Alertmanager does: 503 is tried again. Answers how often that was necessary. */
async function sendAll({ monitoring }: AlertPlace, calls: string[][]): Promise<number> {
  let refusals = 0;
  const sendOne = async (titles: string[]): Promise<void> => {
    for (;;) {
      const posted = await poster.post(monitoring, monitoringBody(firing(titles)));
      if (!isAnswered(posted)) throw new Error(`The call was ${posted}`);
      if (posted.status === 200) return;
      expect(posted).toMatchObject({ status: 503, retryAfter: expect.any(Number) });
      refusals += 1;
      await delay((posted.retryAfter ?? 0) * 1_000);
    }
  };
  const sendSome = async (): Promise<void> => {
    for (let titles = calls.pop(); titles !== undefined; titles = calls.pop())
      await sendOne(titles);
  };
  await Promise.all(Array.from({ length: SENDERS }, sendSome));
  return refusals;
}

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}

describe(`a storm of ${IDENTICAL} identical and ${DIFFERENT} different alerts`, () => {
  it(
    'is counted exactly, with one incident each, in bounded memory',
    async () => {
      const place = await makeAlertPlace(stack, { owner: await stack.makeAdmin() });
      const worker = stack.startWorker();
      const idle = await stack.webProcess.peakMemory();
      const begun = performance.now();
      const refusals = await sendAll(place, stormCalls());
      const stored = secondsSince(begun);
      await untilReacted(stack);
      const reacted = secondsSince(begun);
      const peak = await stack.webProcess.peakMemory();
      console.log(
        `storm: stored after ${stored} s (${Math.round((IDENTICAL + DIFFERENT) / stored)} alerts/s), ` +
          `${refusals} calls tried again after 503, all incidents open after ${reacted} s; ` +
          `web process ${idle} MiB before, ${peak} MiB at most, worker ${await worker.peakMemory()} MiB`,
      );

      const counts = await stack.rows(
        `SELECT event_count AS events, count(*)::int AS alerts FROM alerts WHERE project_id = $1
         GROUP BY 1 ORDER BY 1`,
        [place.project.id],
      );
      expect(counts).toEqual([
        { events: 1, alerts: DIFFERENT },
        { events: IDENTICAL, alerts: 1 },
      ]);
      await assertIncidents(stack, place, { alerts: DIFFERENT + 1, closed: 0 });
      expect(peak).toBeLessThan(MEMORY_LIMIT);
    },
    TIME_MS,
  );
});
