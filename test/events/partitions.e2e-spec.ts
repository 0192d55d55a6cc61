import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { durationOf } from '../support/effort.js';
import { eventKeeping, monthlyPartitions, partitionOfMonth } from '../support/event-keeping.js';
import { eventually } from '../support/eventually.js';
import { startTestWorker } from '../support/worker.js';

let app: OwnTestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

const RECORD_SQL = `INSERT INTO events (project_id, author_id, action, target_type, target_id,
  created_at) VALUES (1, 1, 1, 5, 1, $1)`;

const comingMonths = (): string[] => [0, 1, 2, 3].map((offset) => partitionOfMonth(offset));

/** A clock that stands still in the month that many months from this one. */
function clockInMonth(offset: number): { now(): Date } {
  const now = new Date();
  return { now: () => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 15)) };
}

async function countIn(table: string): Promise<number> {
  const [row] = await app.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM ${table}`,
  );
  return row?.count ?? 0;
}

describe('the partitions of events', () => {
  it('are there for this month and the next three from the installation on', async () => {
    expect(await monthlyPartitions(app)).toEqual(comingMonths());
    expect(await eventKeeping(app).partitions.ensure()).toEqual([]);
  });

  it('are made by a worker when it starts', async () => {
    await app.dataSource.query(`DROP TABLE ${partitionOfMonth(2)}, ${partitionOfMonth(3)}`);
    const worker = await startTestWorker(app);
    await worker.init();
    await eventually(async () => expect(await monthlyPartitions(app)).toEqual(comingMonths()));
    await worker.close();
  });

  it('are made once by several workers, also for events that waited since months ago', async () => {
    await app.dataSource.query(`DROP TABLE ${partitionOfMonth(0)}`);
    await app.dataSource.query(RECORD_SQL, [new Date()]);
    await app.dataSource.query(RECORD_SQL, [clockInMonth(-4).now()]);
    await app.dataSource.query(RECORD_SQL, [new Date('1999-01-01T00:00:00Z')]);
    const workers = [1, 2, 3].map(() => eventKeeping(app).partitions.ensure());
    await Promise.all(workers);
    const expected = [partitionOfMonth(-4), ...comingMonths()];
    expect(await monthlyPartitions(app)).toEqual(expected);
    expect(await countIn(partitionOfMonth(0))).toBe(1);
    expect(await countIn(partitionOfMonth(-4))).toBe(1);
    // Too old to be kept: no month of its own for that.
    expect(await countIn('events_default')).toBe(1);
  });

  it('have the indexes and the numbering of the whole', async () => {
    const clock = clockInMonth(9);
    const [month = ''] = (await eventKeeping(app, clock).partitions.ensure()).slice(-1);
    expect(month.slice(0, 7)).toBe(clockInMonth(12).now().toISOString().slice(0, 7));
    const indexes = (table: string): Promise<unknown[]> =>
      app.dataSource.query(
        `SELECT regexp_replace(indexdef, '^.* USING', '') AS def FROM pg_indexes
         WHERE tablename = $1 ORDER BY 1`,
        [table],
      );
    expect(await indexes(partitionOfMonth(12))).toEqual(await indexes(partitionOfMonth(0)));
    await app.dataSource.query(RECORD_SQL, [clockInMonth(12).now()]);
    expect(await countIn(partitionOfMonth(12))).toBe(1);
  });

  it('take over what is recorded meanwhile: nothing is lost, nothing is refused', async () => {
    await app.dataSource.query(`DROP TABLE ${partitionOfMonth(0)}`);
    const recorders = await Promise.all([1, 2, 3, 4].map(() => startRecorder()));
    await eventually(async () => (await countIn('events_default')) > 200);
    await eventKeeping(app).partitions.ensure();
    const moved = await countIn(partitionOfMonth(0));
    await eventually(async () => (await countIn(partitionOfMonth(0))) > moved + 200);
    const counts = await Promise.all(recorders.map((recorder) => recorder.stop()));
    expect(await countIn('events_default')).toBe(0);
    expect(await countIn(partitionOfMonth(0))).toBe(counts.reduce((sum, one) => sum + one, 0));
  });

  it('are made later while the table is in use, and recording does not wait for that', async () => {
    await app.dataSource.query(`DROP TABLE ${partitionOfMonth(3)}`);
    const busy = new pg.Client({ connectionString: app.config.databaseUrl });
    await busy.connect();
    await busy.query('BEGIN');
    await busy.query(RECORD_SQL, [new Date()]);
    const made = eventKeeping(app).partitions.ensure();
    await eventually(() => isSomebodyWaiting());
    const record = (): Promise<unknown> => app.dataSource.query(RECORD_SQL, [new Date()]);
    expect(await durationOf(record)).toBeLessThan(15);
    await busy.query('COMMIT');
    await busy.end();
    expect(await made).toHaveLength(1);
    expect(await monthlyPartitions(app)).toEqual(comingMonths());
  });
});

async function isSomebodyWaiting(): Promise<boolean> {
  const [row] = await app.dataSource.query<{ waits: boolean }[]>(
    `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted
       AND relation = 'events'::regclass) AS waits`,
  );
  return row?.waits === true;
}

/** Records one event after the other until it is stopped; answers how many. */
async function startRecorder(): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client({ connectionString: app.config.databaseUrl });
  await client.connect();
  let [count, isStopping] = [0, false];
  const recording = (async () => {
    while (!isStopping) {
      await client.query({ name: 'record', text: RECORD_SQL, values: [new Date()] });
      count += 1;
    }
  })();
  const stop = async (): Promise<number> => {
    isStopping = true;
    await recording;
    await client.end();
    return count;
  };
  return { stop };
}
