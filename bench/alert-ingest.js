import { hash } from 'node:crypto';
import pg from 'pg';
import { monitoringBody, plainBody, stormCalls } from './support/alert-bodies.js';
import { interleave, seconds } from './support/figures.js';
import { postAll } from './support/posts.js';
import { startStack } from './support/stack.js';

const ROUNDS = 5;
const SINGLE_ALERTS = 20_000;
const WARM_UP_ALERTS = 5_000;
const SENDERS = 64;
const DATABASE_CONNECTIONS = 8;
const STORM = { alerts: 110_000, perCall: 50 };
const WANTED_PER_SECOND = 20_000;

const UPSERT = {
  name: 'upsert',
  text: `INSERT INTO alerts (project_id, iid, title, severity, fingerprint, payload, started_at)
    VALUES ($1, $2, $3, 0, $4, $5, now())
    ON CONFLICT (project_id, fingerprint) WHERE fingerprint IS NOT NULL AND status <> 2
    DO UPDATE SET event_count = alerts.event_count + 1 RETURNING iid, title`,
};

const UPSERT_MANY = {
  name: 'upsert-many',
  text: `INSERT INTO alerts
      (project_id, iid, title, severity, fingerprint, payload, started_at, event_count)
    SELECT $1, * FROM (SELECT iid, title, 0, fingerprint, payload::json, now(), events FROM
      unnest($2::bigint[], $3::text[], $4::bytea[], $5::text[], $6::bigint[])
        AS n (iid, title, fingerprint, payload, events)) r
    ON CONFLICT (project_id, fingerprint) WHERE fingerprint IS NOT NULL AND status <> 2
    DO UPDATE SET event_count = alerts.event_count + excluded.event_count RETURNING iid, title`,
};

/** Numbers never come twice, in no round and on no side. */
let counter = 0;

/** Alerts per second that are stored when they are acknowledged: one by one, and in a storm. */
export async function run() {
  const stack = await startStack();
  const database = new pg.Pool({
    connectionString: stack.databaseUrl,
    max: DATABASE_CONNECTIONS,
  });
  try {
    const ours = await makeWebhook(stack, 'ours');
    const floor = await stack.api('POST', '/projects', { name: 'floor' });
    return [
      await compareSingle(ours, { database, projectId: floor.id }),
      ...(await compareStorm(ours, { database, projectId: floor.id })),
    ];
  } finally {
    await database.end();
    await stack.stop();
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {string} name
 */
async function makeWebhook(stack, name) {
  const { id } = await stack.api('POST', '/projects', { name });
  const path = `/projects/${id}/alert_management/http_integrations`;
  const { url, token } = await stack.api('POST', path, { name: 'Bench', active: true });
  return { projectId: id, target: { url, token, connections: SENDERS } };
}

/**
 * @typedef {ReturnType<typeof stormCalls>[number][number]} Item
 * @typedef {Awaited<ReturnType<typeof makeWebhook>>} Webhook
 * @typedef {{ database: pg.Pool, projectId: number }} Floor
 */

/**
 * @param {Webhook} webhook
 * @param {Floor} floor
 */
async function compareSingle(webhook, floor) {
  await singleOurs(webhook, floor, WARM_UP_ALERTS);
  await singleFloor(floor, WARM_UP_ALERTS);
  const figures = await interleave({
    rounds: ROUNDS,
    ours: () => singleOurs(webhook, floor, SINGLE_ALERTS),
    peer: () => singleFloor(floor, SINGLE_ALERTS),
  });
  return {
    name: 'Alert webhook, one alert per call, all different',
    metric: 'alerts/s',
    ...figures,
    peerName: `one prepared upsert each, ${DATABASE_CONNECTIONS} connections`,
    ratio: figures.ours / figures.peer,
    target: '>= 0.7',
  };
}

/**
 * @param {Webhook} webhook
 * @param {Floor} floor
 * @param {number} count
 */
async function singleOurs({ projectId, target }, { database }, count) {
  const before = await eventsOf(database, projectId);
  let left = count;
  const next = () => {
    left -= 1;
    return left < 0 ? null : plainBody(nextNumber());
  };
  const duration = await seconds(() => postAll(target, next));
  const stored = (await eventsOf(database, projectId)) - before;
  if (stored !== count) throw new Error(`${stored} of ${count} alerts were stored`);
  return count / duration;
}

/**
 * @param {Floor} floor
 * @param {number} count
 */
async function singleFloor({ database, projectId }, count) {
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const body = plainBody(nextNumber());
      const values = [
        projectId,
        counter,
        JSON.parse(body).title,
        hash('sha1', body, 'buffer'),
        body,
      ];
      await database.query({ ...UPSERT, values });
    }
  };
  const duration = await seconds(() =>
    Promise.all(Array.from({ length: DATABASE_CONNECTIONS }, one)),
  );
  return count / duration;
}

/**
 * @param {Webhook} webhook
 * @param {Floor} floor
 */
async function compareStorm(webhook, floor) {
  const figures = await interleave({
    rounds: ROUNDS,
    ours: () => stormOurs(webhook, floor),
    peer: () => stormFloor(floor),
  });
  const name = 'Alert storm, 100,000 equal and 10,000 different, 50 per call';
  const row = { name, metric: 'alerts/s', ...figures };
  return [
    {
      ...row,
      peerName: `one upsert per call by unnest, ${DATABASE_CONNECTIONS} connections`,
      ratio: figures.ours / figures.peer,
      target: '>= 0.3',
    },
    {
      ...row,
      peer: WANTED_PER_SECOND,
      peerName: 'what is wanted at least',
      ratio: figures.ours / WANTED_PER_SECOND,
      target: '>= 1',
    },
  ];
}

/**
 * @param {Webhook} webhook
 * @param {Floor} floor
 */
async function stormOurs({ projectId, target }, { database }) {
  const before = await eventsOf(database, projectId);
  const bodies = stormCalls(`storm${nextNumber()}`, STORM).map((items) =>
    JSON.stringify(monitoringBody(items)),
  );
  const duration = await seconds(() => postAll(target, () => bodies.pop() ?? null));
  const counted = (await eventsOf(database, projectId)) - before;
  if (counted !== STORM.alerts)
    throw new Error(`${counted} of ${STORM.alerts} events were counted`);
  return STORM.alerts / duration;
}

/** @param {Floor} floor */
async function stormFloor({ database, projectId }) {
  const before = await eventsOf(database, projectId);
  const calls = stormCalls(`storm${nextNumber()}`, STORM).map(coalesced);
  const one = async () => {
    for (let rows = calls.pop(); rows !== undefined; rows = calls.pop()) {
      const values = [
        projectId,
        rows.map(() => nextNumber()),
        rows.map(({ item }) => item.labels.alertname),
        rows.map(({ fingerprint }) => fingerprint),
        rows.map(({ item }) => JSON.stringify(item)),
        rows.map(({ events }) => events),
      ];
      await database.query({ ...UPSERT_MANY, values });
    }
  };
  const duration = await seconds(() =>
    Promise.all(Array.from({ length: DATABASE_CONNECTIONS }, one)),
  );
  const counted = (await eventsOf(database, projectId)) - before;
  if (counted !== STORM.alerts)
    throw new Error(`${counted} of ${STORM.alerts} events were counted`);
  return STORM.alerts / duration;
}

/**
 * Equal alerts of one call as one row, in the order in which every call locks them.
 * @param {Item[]} items
 */
function coalesced(items) {
  /** @type {Map<string, { item: Item, fingerprint: Buffer, events: number }>} */
  const rows = new Map();
  for (const item of items) {
    const known = rows.get(item.fingerprint);
    if (known) known.events += 1;
    else {
      const fingerprint = hash('sha1', item.fingerprint, 'buffer');
      rows.set(item.fingerprint, { item, fingerprint, events: 1 });
    }
  }
  return [...rows.values()].sort((a, b) => a.fingerprint.compare(b.fingerprint));
}

function nextNumber() {
  counter += 1;
  return counter;
}

/**
 * @param {pg.Pool} database
 * @param {number} projectId
 */
async function eventsOf(database, projectId) {
  const { rows } = await database.query(
    'SELECT coalesce(sum(event_count), 0)::int AS events FROM alerts WHERE project_id = $1',
    [projectId],
  );
  return /** @type {number} */ (rows[0].events);
}
