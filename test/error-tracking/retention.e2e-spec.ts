import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/core/clock.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { ErrorOutcomesRepository } from '../../src/error-tracking/error-outcomes.repository.js';
import { ErrorStatisticsRepository } from '../../src/error-tracking/error-statistics.repository.js';
import { ErrorGroupsRepository } from '../../src/error-tracking/errors/error-groups.repository.js';
import { ErrorEventsRepository } from '../../src/error-tracking/events/error-events.repository.js';
import {
  ErrorPartitions,
  ErrorRetention,
} from '../../src/error-tracking/worker/error-maintenance.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { DAY_MS } from '../support/days.js';
import { incomingEvent, ingest, makeSource } from '../support/error-ingest.js';
import { eventually } from '../support/eventually.js';
import { makeActor } from '../support/factories.js';
import { startTestWorker } from '../support/worker.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const never = (): boolean => false;
const START = new Date('2026-03-01T12:00:00.000Z');

/** A clock that stands still until someone moves it. */
class StoppedClock extends Clock {
  time = START;

  override now(): Date {
    return this.time;
  }

  passDays(days: number): void {
    this.time = new Date(this.time.getTime() + days * DAY_MS);
  }
}

let clock: StoppedClock;
let partitions: ErrorPartitions;
beforeEach(() => {
  clock = new StoppedClock();
  const sql = app.app.get(Sql);
  const events = app.app.get(ErrorEventsRepository);
  partitions = new ErrorPartitions(sql, events, clock, app.app.get(InstanceSettings));
});

/** Runs the hourly tasks of a worker. */
async function keepHouse(): Promise<void> {
  await partitions.ensure();
  await partitions.prune(never);
}

async function daysOf(table: string): Promise<string[]> {
  const rows = await app.dataSource.query<{ day: string }[]>(
    `SELECT right(c.relname, 8) AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass AND c.relname ~ '_[0-9]{8}$' ORDER BY 1`,
    [table],
  );
  return rows.map(({ day }) => day);
}

/** The values of the stored events of a project, with the partition they are in. */
async function storedOf({ projectId }: { projectId: number }): Promise<string[]> {
  const rows = await app.dataSource.query<{ stored: string }[]>(
    `SELECT title || ' in ' || tableoid::regclass AS stored FROM error_events
     WHERE project_id = $1 ORDER BY id`,
    [projectId],
  );
  return rows.map(({ stored }) => stored);
}

/** Opens an issue and links the error with that value to it. */
async function linkIssue({ projectId }: { projectId: number }, value: string): Promise<void> {
  const { user } = await makeActor(app);
  await app.dataSource.query(
    `WITH issue AS (INSERT INTO issues (project_id, iid, title, author_id)
       VALUES ($1, 1, 'Look at it', $3) RETURNING id)
     UPDATE errors SET issue_id = issue.id FROM issue WHERE project_id = $1 AND value = $2`,
    [projectId, value, user.id],
  );
}

describe('partitions of events', () => {
  it('exist for each configured retention', async () => {
    const { projectId } = await makeSource(app);
    await app.dataSource.query(
      `INSERT INTO error_tracking_settings (project_id, enabled, retention_days)
       VALUES ($1, true, 7)`,
      [projectId],
    );
    await partitions.ensure();
    expect(await daysOf('error_events')).toEqual(
      expect.arrayContaining(['20260308', '20260311', '20260530', '20260602']),
    );
    expect(await daysOf('error_event_ids')).toEqual(
      expect.arrayContaining(['20260301', '20260304']),
    );
    expect(await partitions.ensure()).toEqual([]);
  });

  it('take over what waited for them', async () => {
    const source = await makeSource(app, 33);
    await ingest(app, source, [incomingEvent('early', { title: 'early', receivedAt: START })]);
    expect(await storedOf(source)).toEqual(['early in error_events_default']);
    await partitions.ensure();
    expect(await storedOf(source)).toEqual(['early in error_events_20260403']);
  });

  it('are made by a worker, which lets past days go, too', async () => {
    const source = await makeSource(app, 5);
    await ingest(app, source, [
      incomingEvent('old', { title: 'first', receivedAt: START }),
      incomingEvent('old', { title: 'second', receivedAt: START }),
      incomingEvent('old', { title: 'third', receivedAt: START }),
    ]);
    const worker = await startTestWorker(app);
    try {
      await eventually(async () => {
        expect(await storedOf(source)).not.toContain('second in error_events_default');
      });
    } finally {
      await worker.close();
    }
  });
});

describe('events whose days are over', () => {
  it('go, but for the first and the newest one of their error', async () => {
    const source = await makeSource(app, 30);
    const titles = ['a', 'b', 'c', 'd'];
    for (const title of titles) {
      const event = incomingEvent('kept', { title, receivedAt: clock.now() });
      await ingest(app, source, [
        event,
        incomingEvent('kept', { title: '-', receivedAt: clock.now() }),
      ]);
      await keepHouse();
      clock.passDays(20);
    }
    // 80 days have passed: of four days of events only the last one has not gone.
    await keepHouse();
    expect(await storedOf(source)).toEqual([
      'a in error_events_kept',
      'd in error_events_20260530',
      '- in error_events_20260530',
    ]);
    clock.passDays(60);
    await keepHouse();
    expect(await storedOf(source)).toEqual(['a in error_events_kept', '- in error_events_kept']);
    await ingest(app, source, [incomingEvent('kept', { title: 'e', receivedAt: clock.now() })]);
    await keepHouse();
    clock.passDays(31);
    await keepHouse();
    expect(await storedOf(source)).toEqual(['a in error_events_kept', 'e in error_events_kept']);
  });

  it('of many errors leave each its own, however often the work is broken off', async () => {
    const source = await makeSource(app, 10);
    const names = Array.from({ length: 450 }, (_, at) => `many ${at}`);
    for (const title of ['first', 'middle', 'newest']) {
      const events = names.map((name) => incomingEvent(name, { title, receivedAt: START }));
      await ingest(app, source, events);
    }
    await partitions.ensure();
    clock.passDays(11);
    let calls = 0;
    await partitions.keepEnds('2026-03-11', () => (calls += 1) > 2);
    const all = await storedOf(source);
    expect(all).toHaveLength(3 * names.length);
    expect(all.filter((line) => line.endsWith('error_events_kept'))).toHaveLength(800);
    await partitions.prune(never);
    const titles = (await storedOf(source)).map((line) => line.split(' ')[0]);
    expect(titles.filter((title) => title === 'first')).toHaveLength(names.length);
    expect(titles.filter((title) => title === 'newest')).toHaveLength(names.length);
    expect(titles).toHaveLength(2 * names.length);
  });

  it('are no longer recognized as duplicates', async () => {
    const source = await makeSource(app);
    const event = incomingEvent('twice', { receivedAt: START });
    await ingest(app, source, [event]);
    await partitions.ensure();
    clock.passDays(3);
    await partitions.prune(never);
    expect(await daysOf('error_event_ids')).toContain('20260301');
    clock.passDays(1);
    await partitions.prune(never);
    expect(await daysOf('error_event_ids')).not.toContain('20260301');
  });
});

describe('what else becomes too old', () => {
  it('is deleted: hours, counters of outcomes, and errors without an issue', async () => {
    const source = await makeSource(app);
    const [old, recent] = [new Date(START.getTime() - 401 * DAY_MS), START];
    await ingest(app, source, [
      incomingEvent('unseen', { receivedAt: old }),
      incomingEvent('linked', { receivedAt: old }),
      incomingEvent('alive', { receivedAt: old }),
    ]);
    await ingest(app, source, [incomingEvent('alive', { receivedAt: recent })]);
    await linkIssue(source, 'linked');
    const oldErrors = new ErrorRetention(
      app.app.get(ErrorGroupsRepository),
      app.app.get(ErrorStatisticsRepository),
      app.app.get(ErrorOutcomesRepository),
      clock,
    );
    await oldErrors.run(never);
    const errors = await app.dataSource.query<{ value: string; hours: string }[]>(
      `SELECT value, (SELECT count(*)::int FROM error_trends WHERE error_id = e.id) AS hours,
         (SELECT count(*)::int FROM error_events WHERE error_id = e.id) AS events
       FROM errors e WHERE project_id = $1 ORDER BY id`,
      [source.projectId],
    );
    expect(errors).toEqual([
      { value: 'linked', hours: 0, events: 1 },
      { value: 'alive', hours: 1, events: 2 },
    ]);
    const events = 'SELECT count(*)::int AS count FROM error_events WHERE project_id = $1';
    expect(await app.dataSource.query(events, [source.projectId])).toEqual([{ count: 3 }]);
    const days = 'SELECT day FROM error_outcomes WHERE project_id = $1';
    expect(await app.dataSource.query(days, [source.projectId])).toEqual([{ day: '2026-03-01' }]);
  });
});
