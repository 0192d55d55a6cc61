import { fork } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { interleave, median } from './support/figures.js';
import { startStack } from './support/stack.js';

const WATCHERS = 10_000;
const CONNECTIONS = 8;
const ROUNDS = 5;
const WANTED_PER_SECOND = 1_000;
const RECIPIENTS_MS = 200;

const WATCHERS_SQL = `
  WITH people AS (
    INSERT INTO users (username, name, email, confirmed_at)
    SELECT 'watcher' || n, 'Watcher ' || n, 'watcher' || n || '@example.com', now()
    FROM generate_series(1, $2::int) n RETURNING id)
  INSERT INTO notification_settings (user_id, project_id, level) SELECT id, $1, 2 FROM people`;

const NOTIFICATION_SQL = `
  INSERT INTO notifications (kind, project_id, actor_id, target_type, target_id)
  SELECT 2, project_id, author_id, 1, id FROM issues WHERE project_id = $1 ORDER BY id LIMIT 1
  RETURNING id`;

/** A new issue that ten thousand people watch, against a loop that only sends. */
export async function run() {
  const sink = startChild('mail-sink.js');
  const { port } = await sink.answer();
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_CONNECTIONS: String(CONNECTIONS) };
  const stack = await startStack(env);
  try {
    const project = await stack.api('POST', '/projects', { name: 'Fan-out', visibility: 'public' });
    await fill(stack.databaseUrl, project.id);
    /** @param {() => unknown} begin */
    const mailsPerSecond = async (begin) => {
      sink.child.send({ wanted: WATCHERS });
      await sink.answer();
      const counted = sink.answer();
      await begin();
      return counted;
    };
    const path = `/projects/${project.id}/issues`;
    const ours = () =>
      mailsPerSecond(() => stack.api('POST', path, { title: 'Bench', description: 'Some text' }));
    const { sample } = await ours();
    const figures = await compare({ ours, mailsPerSecond }, { ...env, SAMPLE: sample });
    return [...rowsOf(figures), await recipientsRow(stack.databaseUrl, project.id)];
  } finally {
    await stack.stop();
    sink.child.kill();
  }
}

/** @typedef {{ perSecond: number, sample: string, port: number }} Answer */
/** @typedef {(begin: () => unknown) => Promise<Answer>} Measure */

/**
 * @param {{ ours: () => Promise<Answer>, mailsPerSecond: Measure }} side
 * @param {Record<string, string>} env
 */
async function compare({ ours, mailsPerSecond }, env) {
  const loop = startChild('bare-mails.js', { ...env, CONNECTIONS: String(CONNECTIONS) });
  await loop.answer();
  try {
    return await interleave({
      rounds: ROUNDS,
      ours: async () => (await ours()).perSecond,
      peer: async () =>
        (await mailsPerSecond(() => loop.child.send({ wanted: WATCHERS }))).perSecond,
    });
  } finally {
    loop.child.kill();
  }
}

/**
 * The statement alone, as the worker has it, without what it writes.
 * @param {string} databaseUrl
 * @param {number} projectId
 */
async function recipientsRow(databaseUrl, projectId) {
  const path = '../dist/src/notifications/sql/recipients.js';
  const { recipientsSql } = await import(new URL(path, import.meta.url).href);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // Hides the notification from other transactions.
  await client.query('BEGIN');
  const { rows } = await client.query(NOTIFICATION_SQL, [projectId]);
  const text = `WITH o AS MATERIALIZED (SELECT * FROM notifications WHERE id = $1),
    ${recipientsSql('new_issue', 'issue')} SELECT count(*)::int AS count FROM recipients`;
  /** @type {number[]} */
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const found = await client.query({ name: 'recipients', text, values: [rows[0].id] });
    times.push(performance.now() - start);
    if (found.rows[0].count !== WATCHERS) throw new Error(`${found.rows[0].count} recipients`);
  }
  await client.query('ROLLBACK');
  await client.end();
  const ours = median(times);
  return {
    name: `Recipients of an event with ${WATCHERS} watchers`,
    metric: 'ms',
    ours,
    peer: RECIPIENTS_MS,
    peerName: 'what is wanted at most',
    ratio: ours / RECIPIENTS_MS,
    target: '<= 1',
  };
}

/** @param {{ ours: number, peer: number }} figures */
function rowsOf({ ours, peer }) {
  const row = { name: `Mails about an event with ${WATCHERS} watchers`, metric: 'mails/s', ours };
  const wanted = { peer: WANTED_PER_SECOND, peerName: 'what is wanted at least' };
  return [
    { ...row, peer, peerName: 'nodemailer pool loop', ratio: ours / peer, target: '>= 0.8' },
    { ...row, ...wanted, ratio: ours / WANTED_PER_SECOND, target: '>= 1' },
  ];
}

/**
 * @param {string} databaseUrl
 * @param {number} projectId
 */
async function fill(databaseUrl, projectId) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(WATCHERS_SQL, [projectId, WATCHERS]);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/**
 * A program of the support folder that answers by messages.
 * @param {string} program
 * @param {Record<string, string>} [env]
 */
function startChild(program, env = {}) {
  const child = fork(new URL(`support/${program}`, import.meta.url), {
    env: { ...process.env, ...env },
  });
  /** @returns {Promise<Answer>} */
  const answer = async () => (await once(child, 'message'))[0];
  return { child, answer };
}
