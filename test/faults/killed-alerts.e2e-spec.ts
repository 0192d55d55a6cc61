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

const SENDERS = 64;
/** Calls that are acknowledged before the next kill. */
const BETWEEN = 400;
const WEB_KILLS = scaled(50);
const DATABASE_KILLS = scaled(5);
const OUTAGE_MS = 1_500;
const TIME_MS = 600_000;

let stack: FaultStack;
beforeAll(async () => {
  stack = await FaultStack.start();
}, 240_000);
afterAll(() => stack.stop());

interface Outage {
  from: number;
  to: number;
}

interface Load {
  kill(): Promise<void>;
  kills: number;
}

/** Lets many send to two projects, kills in the middle of it, and answers what they were told. */
async function killDuringLoad({ kill, kills }: Load): Promise<AlertLedger> {
  const owner = await stack.makeAdmin();
  const places = [await makeAlertPlace(stack, { owner }), await makeAlertPlace(stack, { owner })];
  const poster = new WebhookPoster(SENDERS);
  const ledger = new AlertLedger();
  const senders = Array.from({ length: SENDERS }, (_, at) => {
    const place = places[at % 2] as (typeof places)[number];
    return new AlertSender({ place, poster, ledger, name: `sender-${at}` });
  });
  await killInTheMiddle(senders, { kill, kills, between: BETWEEN });
  poster.close();
  expect(senders.flatMap(({ oddities }) => oddities)).toEqual([]);
  return ledger;
}

function report(what: string, ledger: AlertLedger, oracle: AlertOracle): void {
  const [stored, untold] = [ledger.count('stored'), ledger.count('untold')];
  const events = oracle.alerts.reduce((sum, alert) => sum + alert.events, 0);
  console.log(
    `${what}: ${stored} calls acknowledged, ${untold} without a clear answer, of which ` +
      `${oracle.storedUntold} were stored; ${oracle.alerts.length} alerts, ${events} events`,
  );
}

describe(`a web process killed ${WEB_KILLS} times while alerts come in`, () => {
  let oracle: AlertOracle;
  let ledger: AlertLedger;
  beforeAll(async () => {
    let kills = 0;
    const kill = async (): Promise<void> => {
      kills += 1;
      // From here it would never die while we are busy with answers, so never soon after one.
      await stack.webProcess.killFromOutside(((kills * 0.618_034) % 1) * 60);
      await stack.restartWeb();
    };
    ledger = await killDuringLoad({ kill, kills: WEB_KILLS });
    oracle = await AlertOracle.read(stack, ledger);
    report(`${WEB_KILLS} kills of the web process`, ledger, oracle);
  }, TIME_MS);

  it('was killed in the middle of calls', () => {
    expect(ledger.count('untold')).toBeGreaterThan(WEB_KILLS);
  });
  it('has one delivery of each acknowledged call', () => oracle.assertDeliveries());
  it('has counted exactly what is delivered', () => oracle.assertCounters());
  it('has all alerts that it told of, under these numbers', () => oracle.assertAlerts());
  it('has told of each beginning and end once', () => oracle.assertHistories());

  it('has asked for one incident of each alert, which a worker opens', async () => {
    const worker = stack.startWorker();
    await eventually(
      async () => expect(await stack.rows('SELECT 1 FROM alert_reactions LIMIT 1')).toEqual([]),
      { seconds: 90, everyMs: 200 },
    );
    await worker.kill();
    const [counts] = await stack.rows(
      `SELECT count(*) FILTER (WHERE status <> 2)::int AS open, count(issue_id)::int AS linked,
         count(DISTINCT issue_id)::int AS incidents, (SELECT count(*)::int FROM issues) AS issues
       FROM alerts`,
    );
    const open = oracle.alerts.filter(({ status }) => status !== 2).length;
    expect(counts).toEqual({ open, linked: open, incidents: open, issues: open });
  });
});

describe(`a database killed ${DATABASE_KILLS} times while alerts come in`, () => {
  const outages: Outage[] = [];
  let oracle: AlertOracle;
  let ledger: AlertLedger;
  beforeAll(async () => {
    const kill = async (): Promise<void> => {
      await stack.servers.kill('database');
      const from = Date.now();
      await delay(OUTAGE_MS);
      outages.push({ from, to: Date.now() });
      await stack.servers.restart('database');
    };
    ledger = await killDuringLoad({ kill, kills: DATABASE_KILLS });
    oracle = await AlertOracle.read(stack, ledger);
    report(`${DATABASE_KILLS} kills of PostgreSQL`, ledger, oracle);
  }, TIME_MS);

  it('acknowledges nothing while it is away, and says that it is', () => {
    for (const { from, to } of outages) {
      // One that waits until the database is back may be stored then.
      const during = ledger.calls.filter((call) => call.startedAt > from && call.endedAt < to);
      expect(during.length).toBeGreaterThan(0);
      expect(new Set(during.map(({ ending }) => ending))).toEqual(new Set(['untold']));
    }
  });
  it('has lost nothing, and counted nothing twice', () => oracle.assertAll());
});
