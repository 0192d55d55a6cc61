import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import { DAY_MS } from '../support/days.js';
import { eventKeeping, monthlyPartitions, partitionOfMonth } from '../support/event-keeping.js';
import { eventually } from '../support/eventually.js';
import { changeSettings } from '../support/settings.js';
import { startTestWorker } from '../support/worker.js';

let app: OwnTestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.close());

const RECORD_SQL = `INSERT INTO events (project_id, author_id, action, target_type, target_id,
  created_at) VALUES (1, 1, 1, 5, 1, $1) RETURNING id`;

const never = { isStopping: () => false };
const KEPT_DAYS = 1_095;

/** Midnight (UTC) that many days before today's. */
function midnight(daysAgo: number): Date {
  return new Date((Math.floor(Date.now() / DAY_MS) - daysAgo) * DAY_MS);
}

async function record(createdAt: Date): Promise<number> {
  const [row] = await app.dataSource.query<{ id: number }[]>(RECORD_SQL, [createdAt]);
  return row?.id ?? 0;
}

async function ids(condition = 'true', values: unknown[] = []): Promise<number[]> {
  const rows = await app.dataSource.query<{ id: number }[]>(
    `SELECT id FROM events WHERE ${condition} ORDER BY id`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** Events spread evenly over the last 48 months, which all have their partition. */
async function seedFourYears(count: number): Promise<void> {
  const first = partitionOfMonth(-47).replace(/^events_(\d{4})(\d{2})$/, '$1-$2-01');
  // Without the time limit of web processes.
  const client = new pg.Client({ connectionString: app.config.databaseUrl });
  await client.connect();
  await client.query('SELECT ensure_events_partitions($1, now()::date)', [first]);
  await client.query(
    `INSERT INTO events (project_id, author_id, action, target_type, target_id, created_at)
     SELECT n % 50, n % 90, 1, 5, n % 50, $1::timestamptz + n * (now() - $1) / $2::integer
     FROM generate_series(0, $2 - 1) n`,
    [first, count],
  );
  await client.end();
}

describe('events of four years', () => {
  it('lose exactly those that are too old, most of them with their month', async () => {
    await seedFourYears(200_000);
    const before = midnight(KEPT_DAYS + 1);
    const kept = await ids('created_at >= $1', [before]);
    const months = await monthlyPartitions(app);
    const old = await ids('created_at < $1', [before]);
    const { pruning } = eventKeeping(app);

    const dropped = months.filter((name) => name < partitionOfMonth(0, before));
    expect(dropped.length).toBeGreaterThanOrEqual(11);
    const forecast = { before, partitions: dropped, events: old.length, isComplete: true };
    expect(await pruning.forecast()).toEqual(forecast);
    expect(await monthlyPartitions(app)).toEqual(months);

    const pruned = await pruning.run(never);
    expect(pruned).toMatchObject({ before, partitions: dropped, isComplete: true });
    expect(await ids()).toEqual(kept);
    const staying = months.filter((name) => !dropped.includes(name));
    expect(await monthlyPartitions(app)).toEqual(staying);
    expect(await pruning.run(never)).toEqual({ ...pruned, partitions: [], events: 0 });
  }, 60_000);

  it('go by a worker when it starts', async () => {
    await seedFourYears(2_000);
    const kept = await ids('created_at >= $1', [midnight(KEPT_DAYS + 1)]);
    const worker = await startTestWorker(app);
    await worker.init();
    await eventually(async () => expect(await ids()).toEqual(kept));
    await worker.close();
  });

  it('go while others are recorded, by two workers at once, however many a batch is', async () => {
    const old = midnight(KEPT_DAYS + 2);
    await app.dataSource.query(
      `INSERT INTO events (project_id, author_id, action, target_type, target_id, created_at)
       SELECT 1, 1, 1, 5, 1, $1 FROM generate_series(1, 25000)`,
      [old],
    );
    const recording = Array.from({ length: 50 }, () => record(new Date()));
    const runs = [1, 2].map(() => eventKeeping(app).pruning.run(never));
    const [recorded, pruned] = await Promise.all([Promise.all(recording), Promise.all(runs)]);
    expect(pruned.reduce((sum, { events }) => sum + events, 0)).toBe(25_000);
    expect(await ids()).toEqual(recorded.toSorted((one, other) => one - other));
  });
});

describe('the age of events', () => {
  it('is three years and a day, with or without a partition for that month', async () => {
    const now = new Date();
    const threeYears = new Date(now);
    threeYears.setUTCFullYear(now.getUTCFullYear() - 3);
    const days = (count: number): Date => new Date(threeYears.getTime() - count * DAY_MS);
    for (const isInMonth of [false, true]) {
      if (isInMonth)
        await app.dataSource.query('SELECT ensure_events_partitions($1, $1)', [days(2)]);
      const kept = [await record(threeYears), await record(midnight(KEPT_DAYS + 1))];
      await record(days(2));
      await record(new Date(midnight(KEPT_DAYS + 1).getTime() - 1));
      await eventKeeping(app).pruning.run(never);
      expect(await ids()).toEqual(kept);
      await app.dataSource.query('DELETE FROM events');
    }
  });

  it('follows the setting with the next round', async () => {
    const [old, young] = [await record(midnight(12)), await record(midnight(11))];
    const { pruning } = eventKeeping(app);
    await pruning.run(never);
    expect(await ids()).toEqual([old, young]);
    await changeSettings(app, { event_retention_days: 10 });
    expect(await pruning.run(never)).toMatchObject({ before: midnight(11), events: 1 });
    expect(await ids()).toEqual([young]);
  });

  it('is no reason to wait for a table in use: the month goes with a later round', async () => {
    await app.dataSource.query('SELECT ensure_events_partitions($1, $1)', [midnight(1_200)]);
    await record(midnight(1_200));
    const reader = new pg.Client({ connectionString: app.config.databaseUrl });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM events');
    const { pruning } = eventKeeping(app);
    expect(await pruning.run(never)).toMatchObject({ partitions: [], isComplete: false });
    await reader.query('COMMIT');
    await reader.end();
    expect((await pruning.run(never)).partitions).toHaveLength(1);
    expect(await ids()).toEqual([]);
  }, 20_000);

  it('leaves for the next round what takes too long, and what a worker that ends had not done', async () => {
    await record(midnight(1_200));
    const { pruning } = eventKeeping(app);
    const ending = { isStopping: () => true };
    expect(await pruning.run(ending)).toMatchObject({ events: 0, isComplete: false });
    const late = { isStopping: () => false, budgetMs: 0 };
    expect(await pruning.run(late)).toMatchObject({ events: 0, isComplete: false });
    expect(await pruning.run(never)).toMatchObject({ events: 1, isComplete: true });
  });
});

describe('guildhall events prune', () => {
  const guildhall = (...args: string[]): ReturnType<typeof runGuildhall> => {
    const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
    return runGuildhall(['events', 'prune', ...args], {
      env: cliEnvironment({ name, url }, dataDir),
    });
  };

  it('tells what it would remove, removes it, and finds nothing more', async () => {
    await app.dataSource.query('SELECT ensure_events_partitions($1, $1)', [midnight(1_200)]);
    await record(midnight(1_200));
    await record(midnight(5_000));
    const kept = await record(midnight(10));
    const month = partitionOfMonth(0, midnight(1_200));
    const before = midnight(KEPT_DAYS + 1).toISOString();

    expect(await guildhall('--dry-run')).toEqual({
      code: 0,
      stdout: `2 events before ${before} would be removed, with ${month}\n`,
      stderr: '',
    });
    const { stdout } = await guildhall('--json');
    expect(JSON.parse(stdout)).toEqual({
      dry_run: false,
      before,
      partitions: [month],
      events: 1,
      complete: true,
    });
    expect(await ids()).toEqual([kept]);
    expect((await guildhall()).stdout).toBe(`Removed 0 events before ${before}\n`);
  });
});
