import pg from 'pg';
import { interleave, seconds } from './support/figures.js';
import { startStack } from './support/stack.js';

const ROUNDS = 5;
const CONNECTIONS = 8;
const SINGLE_EVENTS = 8_000;
const BATCHED_EVENTS = 100_000;
const BATCH = 1_000;
const NOTES = 4_000;
const WANTED_PER_SECOND = 50_000;

/** The floor's table: the columns of events without months, checks and indexes of listings. */
const FLOOR_TABLE = `CREATE TABLE floor_events
  (LIKE events INCLUDING DEFAULTS INCLUDING IDENTITY, PRIMARY KEY (id))`;
const FLOOR_COLUMNS = `project_id, author_id, action, target_type, target_id, noteable_type,
  noteable_id, push_action, ref_type, ref, commit_from, commit_to, commit_count, commit_title`;
const FLOOR_TYPES = `bigint bigint smallint smallint bigint smallint bigint smallint smallint text
  text text integer text`.split(/\s+/);
const SINGLE = {
  name: 'single',
  text: `INSERT INTO floor_events (${FLOOR_COLUMNS})
    VALUES (${FLOOR_TYPES.map((_, index) => `$${index + 1}`).join(', ')})`,
};
const BATCHED = {
  name: 'batched',
  text: `INSERT INTO floor_events (${FLOOR_COLUMNS})
    SELECT * FROM unnest(${FLOOR_TYPES.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})`,
};

/** Cost of recording events: one by one in transactions, in batches, and with a comment. */
export async function run() {
  const stack = await startStack();
  const recorder = await openRecorder(stack.databaseUrl);
  const database = new pg.Pool({ connectionString: stack.databaseUrl, max: CONNECTIONS });
  try {
    await database.query(FLOOR_TABLE);
    const { id } = await stack.api('POST', '/projects', { name: 'Bench' });
    const issue = await stack.api('POST', `/projects/${id}/issues`, { title: 'Bench' });
    const place = { projectId: id, issueId: issue.id, authorId: issue.author.id };
    return [
      await compareSingle(recorder, database, place),
      ...(await compareBatched(recorder, database, place)),
      await compareNotes(recorder, place),
    ];
  } finally {
    await Promise.all([database.end(), recorder.dataSource.destroy()]);
    await stack.stop();
  }
}

/** @typedef {{ projectId: number, issueId: number, authorId: number }} Place */
/** @typedef {Awaited<ReturnType<typeof openRecorder>>} Recorder */

/**
 * The built application's own recording, on a pool as large as the floor's.
 * @param {string} databaseUrl
 */
async function openRecorder(databaseUrl) {
  await import('reflect-metadata');
  const { DataSource } = await import('typeorm');
  const built = await loadBuilt();
  const options = { databaseUrl, poolSize: CONNECTIONS, statementTimeoutMs: 0 };
  const dataSource = await new DataSource(built.dataSourceOptions(options)).initialize();
  const activity = new built.Activity(
    new built.EventsRepository(dataSource),
    new built.NotificationsRepository(dataSource),
    /** @type {any} */ ({ notifyAfterCommit: () => undefined }),
  );
  const notes = new built.NotesRepository(dataSource, new built.Sql(dataSource));
  const mentions = new built.MentionsRepository(dataSource);
  /** @param {typeof activity} recording */
  const notesService = (recording) =>
    new built.NotesService(notes, recording, /** @type {any} */ (null), mentions);
  return {
    dataSource,
    activity,
    notes: notesService(activity),
    silentNotes: notesService(/** @type {any} */ ({ record: async () => undefined })),
  };
}

/** The parts of the built application that are measured, with the types of its source. */
async function loadBuilt() {
  /** @param {string} path */
  const load = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);
  /** @type {typeof import('../src/database/database.module.js')} */
  const { dataSourceOptions } = await load('database/database.module.js');
  /** @type {typeof import('../src/core/activity/activity.service.js')} */
  const { Activity } = await load('core/activity/activity.service.js');
  /** @type {typeof import('../src/core/activity/events.repository.js')} */
  const { EventsRepository } = await load('core/activity/events.repository.js');
  /** @type {typeof import('../src/core/activity/notifications.repository.js')} */
  const { NotificationsRepository } = await load('core/activity/notifications.repository.js');
  /** @type {typeof import('../src/core/sql/sql.service.js')} */
  const { Sql } = await load('core/sql/sql.service.js');
  /** @type {typeof import('../src/workspace/mentions/mentions.repository.js')} */
  const { MentionsRepository } = await load('workspace/mentions/mentions.repository.js');
  /** @type {typeof import('../src/workspace/notes/notes.repository.js')} */
  const { NotesRepository } = await load('workspace/notes/notes.repository.js');
  /** @type {typeof import('../src/workspace/notes/notes.service.js')} */
  const { NotesService } = await load('workspace/notes/notes.service.js');
  const repositories = { EventsRepository, NotificationsRepository, MentionsRepository };
  return { ...repositories, NotesRepository, dataSourceOptions, Activity, Sql, NotesService };
}

/**
 * Half of them are pushes, half comments.
 * @param {number} number
 * @param {Place} place
 * @returns {import('../src/core/activity/event.entity.js').NewEvent}
 */
function event(number, { projectId, issueId, authorId }) {
  const common = { projectId, authorId };
  if (number % 2 === 0) {
    const target = /** @type {const} */ ({ type: 'note', id: number });
    return { ...common, action: 'commented', target, noteable: { type: 'issue', id: issueId } };
  }
  /** @type {import('../src/core/activity/event.entity.js').NewEvent['push']} */
  const push = {
    action: 'pushed',
    refType: 'branch',
    ref: 'main',
    commitFrom: '1'.repeat(40),
    commitTo: '2'.repeat(40),
    commitCount: 2,
    commitTitle: `Change number ${number} of many, as people call them`,
    refCount: null,
  };
  return { ...common, action: 'pushed', push };
}

/**
 * The values of FLOOR_COLUMNS.
 * @param {number} number
 * @param {Place} place
 */
function floorRow(number, { projectId, issueId, authorId }) {
  if (number % 2 === 0) {
    const nothing = Array.from({ length: 7 }, () => null);
    return [projectId, authorId, 6, 4, number, 1, issueId, ...nothing];
  }
  const title = `Change number ${number} of many, as people call them`;
  const commits = ['1'.repeat(40), '2'.repeat(40), 2, title];
  return [projectId, authorId, 5, null, null, null, null, 2, 0, 'main', ...commits];
}

/**
 * `count` pieces of work, as many at a time as there are connections; answers how many per second.
 * @param {number} count
 * @param {(number: number) => Promise<unknown>} work
 */
async function perSecond(count, work) {
  let started = 0;
  const one = async () => {
    while (started < count) {
      started += 1;
      await work(started);
    }
  };
  return count / (await seconds(() => Promise.all(Array.from({ length: CONNECTIONS }, one))));
}

/**
 * @param {Recorder} recorder
 * @param {pg.Pool} database
 * @param {Place} place
 */
async function compareSingle({ dataSource, activity }, database, place) {
  /** @param {number} number */
  const record = (number) =>
    dataSource.transaction((tx) => activity.record(tx, [event(number, place)]));
  /** @param {number} number */
  const insert = async (number) => {
    const client = await database.connect();
    try {
      await client.query('BEGIN');
      await client.query({ ...SINGLE, values: floorRow(number, place) });
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };
  const figures = await interleave({
    rounds: ROUNDS,
    ours: () => perSecond(SINGLE_EVENTS, record),
    peer: () => perSecond(SINGLE_EVENTS, insert),
  });
  return row('Events of pushes and comments, one per transaction', figures, {
    peerName: 'one prepared insert per transaction, table without other indexes',
    target: '>= 0.75',
  });
}

/**
 * @param {Recorder} recorder
 * @param {pg.Pool} database
 * @param {Place} place
 */
async function compareBatched({ dataSource, activity }, database, place) {
  const numbers = Array.from({ length: BATCH }, (_, index) => index);
  const events = numbers.map((number) => event(number, place));
  const rows = numbers.map((number) => floorRow(number, place));
  const values = FLOOR_TYPES.map((_, column) => rows.map((values) => values[column]));
  const batches = BATCHED_EVENTS / BATCH;
  const record = () => dataSource.transaction((tx) => activity.record(tx, events));
  const figures = await interleave({
    rounds: ROUNDS,
    ours: async () => BATCH * (await perSecond(batches, record)),
    peer: async () =>
      BATCH * (await perSecond(batches, () => database.query({ ...BATCHED, values }))),
  });
  const name = `Events of pushes and comments, ${BATCH} per statement`;
  return [
    row(name, figures, { peerName: 'unnest into a table without other indexes', target: '>= 0.3' }),
    row(
      name,
      { ours: figures.ours, peer: WANTED_PER_SECOND },
      { peerName: 'what is wanted at least', target: '>= 1' },
    ),
  ];
}

/**
 * @param {Recorder} recorder
 * @param {Place} place
 */
async function compareNotes({ dataSource, notes, silentNotes }, place) {
  const { projectId, issueId: id, authorId } = place;
  /** @type {import('../src/workspace/notes/noteable.js').Noteable} */
  const noteable = { kind: 'issue', id, iid: 1, projectId };
  const note = { noteable, authorId, body: 'Looks good to me.' };
  /** @param {typeof notes} writer */
  const write = (writer) => () => dataSource.transaction((tx) => writer.create(tx, note));
  const figures = await interleave({
    rounds: ROUNDS,
    ours: () => perSecond(NOTES, write(notes)),
    peer: () => perSecond(NOTES, write(silentNotes)),
  });
  return row('Comment on an issue with its event, in the database', figures, {
    peerName: 'the same without the event',
    target: '>= 0.75',
  });
}

/**
 * @param {string} name
 * @param {{ ours: number, peer: number }} figures
 * @param {{ peerName: string, target: string }} beside
 */
function row(name, figures, beside) {
  return { name, metric: 'rows/s', ...figures, ...beside, ratio: figures.ours / figures.peer };
}
