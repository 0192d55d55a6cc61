import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeErrorPlace } from './support/error-place.js';
import { EnvelopePoster } from './support/error-post.js';
import { ERRORS, ErrorSender, PEOPLE, type SentEvent } from './support/error-sender.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';
import { killInTheMiddle } from './support/storm.js';

const SENDERS = 48;
/** Between the first rounds of senders: they begin with different errors and people. */
const FIRST_STEP = 3;
/** Events that are acknowledged before the next kill. */
const BETWEEN = 300;
const WEB_KILLS = scaled(50);
const DATABASE_KILLS = scaled(5);
const OUTAGE_MS = 1_500;
const TIME_MS = 900_000;

let stack: FaultStack;
beforeAll(async () => {
  stack = await FaultStack.start();
}, 240_000);
afterAll(() => stack.stop());

/** Stored attributes of an error. */
interface StoredError {
  projectId: number;
  type: string;
  events: number;
  stored: number;
  ids: number;
  trend: number;
  users: number;
  knownUsers: number;
  environments: number;
}

const ERRORS_SQL = `
  SELECT e.project_id AS "projectId", e.type, e.events_count AS events, e.users_count AS users,
    (SELECT count(*)::int FROM error_events WHERE error_id = e.id) AS stored,
    (SELECT count(DISTINCT event_id)::int FROM error_events WHERE error_id = e.id) AS ids,
    (SELECT sum(events_count)::int FROM error_trends WHERE error_id = e.id) AS trend,
    (SELECT count(*)::int FROM error_users WHERE error_id = e.id) AS "knownUsers",
    (SELECT sum(events_count)::int FROM error_tags WHERE error_id = e.id AND key = 'environment')
      AS environments
  FROM errors e WHERE e.project_id = ANY($1) ORDER BY e.project_id, e.type`;

const IDS_SQL = `
  SELECT replace(event_id::text, '-', '') AS id FROM error_events WHERE project_id = ANY($1)`;

const ACCEPTED_SQL = `
  SELECT sum(quantity)::int AS sum FROM error_outcomes WHERE project_id = ANY($1) AND outcome = 0`;

interface Load {
  kill(): Promise<void>;
  kills: number;
}

/** Responses to all senders while processes were killed repeatedly. */
interface Told {
  projects: number[];
  ledger: SentEvent[];
}

async function killDuringLoad({ kill, kills }: Load): Promise<Told> {
  const owner = await stack.makeAdmin();
  const places = [await makeErrorPlace(stack, owner), await makeErrorPlace(stack, owner)];
  const poster = new EnvelopePoster(SENDERS);
  const ledger: SentEvent[] = [];
  const senders = Array.from({ length: SENDERS }, (_, at) => {
    const place = places[at % 2] as (typeof places)[number];
    return new ErrorSender({ place, poster, ledger, first: at * FIRST_STEP });
  });
  await killInTheMiddle(senders, { kill, kills, between: BETWEEN });
  poster.close();
  expect(senders.flatMap(({ oddities }) => oddities)).toEqual([]);
  return { projects: places.map(({ projectId }) => projectId), ledger };
}

/** Nothing lost, nothing counted twice, and all counters tell the same. */
async function assertExact(what: string, { projects, ledger }: Told): Promise<void> {
  const rows = await stack.rows<{ id: string }>(IDS_SQL, [projects]);
  const stored = new Set(rows.map(({ id }) => id));
  expect(stored.size).toBe(rows.length);
  const acknowledged = ledger.filter(({ ending }) => ending === 'acknowledged');
  expect(acknowledged.filter(({ eventId }) => !stored.has(eventId))).toEqual([]);
  const sent = new Set(ledger.map(({ eventId }) => eventId));
  expect([...stored].filter((id) => !sent.has(id))).toEqual([]);

  const errors = await stack.rows<StoredError>(ERRORS_SQL, [projects]);
  expect(errors).toHaveLength(projects.length * ERRORS);
  for (const { events, users, ...error } of errors) {
    const { stored: count, ids, trend, environments, knownUsers } = error;
    expect([count, ids, trend, environments]).toEqual([events, events, events, events]);
    expect(users).toBe(knownUsers);
    expect(users).toBeLessThanOrEqual(PEOPLE);
  }
  expect(errors.reduce((sum, { events }) => sum + events, 0)).toBe(stored.size);
  expect(await stack.rows(ACCEPTED_SQL, [projects])).toEqual([{ sum: stored.size }]);
  const untold = ledger.length - acknowledged.length;
  console.log(
    `${what}: ${acknowledged.length} events acknowledged, ${untold} not, ` +
      `of which ${stored.size - acknowledged.length} were stored`,
  );
}

describe(`a web process killed ${WEB_KILLS} times while errors come in`, () => {
  it(
    'loses no acknowledged event, and counts none twice',
    async () => {
      let kills = 0;
      const kill = async (): Promise<void> => {
        kills += 1;
        // From here it would never die while we are busy with answers, so never soon after one.
        await stack.webProcess.killFromOutside(((kills * 0.618_034) % 1) * 60);
        await stack.restartWeb();
      };
      const told = await killDuringLoad({ kill, kills: WEB_KILLS });
      expect(told.ledger.filter(({ ending }) => ending === 'untold')).not.toEqual([]);
      await assertExact(`${WEB_KILLS} kills of the web process`, told);
    },
    TIME_MS,
  );
});

describe(`a database killed ${DATABASE_KILLS} times while errors come in`, () => {
  it(
    'loses no acknowledged event, and counts none twice',
    async () => {
      const kill = async (): Promise<void> => {
        await stack.servers.kill('database');
        await delay(OUTAGE_MS);
        await stack.servers.restart('database');
      };
      const told = await killDuringLoad({ kill, kills: DATABASE_KILLS });
      await assertExact(`${DATABASE_KILLS} kills of PostgreSQL`, told);
    },
    TIME_MS,
  );
});
