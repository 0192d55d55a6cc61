import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorIngest } from '../../src/error-tracking/ingest/error-ingest.service.js';
import type { ErrorSource } from '../../src/error-tracking/ingest/grouped-events.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { hashOf, incomingEvent, ingest, makeSource } from '../support/error-ingest.js';
import { eventually } from '../support/eventually.js';
import { startSecondProcess } from '../support/second-process.js';
import { changeSettings } from '../support/settings.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const NOON = new Date('2026-03-01T12:00:00.000Z');
const minutesAfter = (minutes: number): Date => new Date(NOON.getTime() + minutes * 60_000);

interface Counted {
  id: number;
  events: number;
  users: number;
  stored: number;
  trend: number;
}

/** The errors of a project with what is counted of each, the oldest first. */
async function errorsOf({ projectId }: ErrorSource): Promise<Counted[]> {
  return app.dataSource.query(
    `SELECT id, events_count::int AS events, users_count AS users,
       (SELECT count(*)::int FROM error_events WHERE error_id = e.id) AS stored,
       (SELECT sum(events_count)::int FROM error_trends WHERE error_id = e.id) AS trend
     FROM errors e WHERE project_id = $1 ORDER BY id`,
    [projectId],
  );
}

async function rowOf<T extends object>(text: string, values: unknown[]): Promise<T> {
  const rows = await app.dataSource.query<T[]>(text, values);
  return rows[0] as T;
}

describe('an event', () => {
  it('becomes an error, and is stored with its payload', async () => {
    const source = await makeSource(app);
    const event = incomingEvent('x is undefined', {
      receivedAt: NOON,
      occurredAt: minutesAfter(-1),
      level: 'fatal',
      logger: 'shop',
      environment: 'staging',
      release: 'shop@1.2.0',
      isUnhandled: true,
      userLabel: 'ada@example.com',
      userHash: hashOf('ada'),
      clientAddress: '192.0.2.7',
      tags: new Map([['browser', 'Firefox']]),
    });
    await ingest(app, source, [event]);

    const [error] = await app.dataSource.query<{ id: number }[]>(
      'SELECT * FROM errors WHERE project_id = $1',
      [source.projectId],
    );
    expect(error).toEqual({
      id: expect.any(Number),
      updated_at: expect.any(Date),
      project_id: source.projectId,
      status: 0,
      type: 'TypeError',
      value: 'x is undefined',
      culprit: 'sumOf(cart)',
      platform: 'node',
      logger: 'shop',
      level: 4,
      is_unhandled: true,
      first_seen_at: minutesAfter(-1),
      last_seen_at: minutesAfter(-1),
      events_count: 1,
      users_count: 1,
      first_release: 'shop@1.2.0',
      last_release: 'shop@1.2.0',
      regressed_at: null,
      resolved_release: null,
      ignored_until: null,
      ignored_until_count: null,
      merged_into_id: null,
      has_merged: false,
      status_changed_at: null,
      status_changed_by_id: null,
      issue_id: null,
      assignee_id: null,
      search_text: 'typeerror x is undefined sumof(cart)',
      sampled_day: '2026-03-01',
      sampled_count: 1,
    });
    const stored = await rowOf('SELECT * FROM error_events WHERE error_id = $1', [error?.id]);
    expect(stored).toEqual({
      expires_on: '2026-05-30',
      id: expect.any(Number),
      project_id: source.projectId,
      error_id: error?.id,
      event_id: event.eventId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
      received_at: NOON,
      occurred_at: minutesAfter(-1),
      level: 4,
      title: 'TypeError: x is undefined',
      environment: 'staging',
      release: 'shop@1.2.0',
      user_label: 'ada@example.com',
      client_address: '192.0.2.7',
      payload: event.payload.bytes,
      payload_encoding: 2,
      is_envelope: false,
    });
    expect(await rowOf('SELECT * FROM error_tags WHERE error_id = $1', [error?.id])).toEqual({
      error_id: error?.id,
      project_id: source.projectId,
      key: 'browser',
      value: 'Firefox',
      events_count: 1,
      last_seen_at: minutesAfter(-1),
    });
    const outcome = 'SELECT * FROM error_outcomes WHERE project_id = $1';
    expect(await rowOf(outcome, [source.projectId])).toEqual({
      project_id: source.projectId,
      day: '2026-03-01',
      outcome: 0,
      category: 'error',
      reason: '',
      quantity: 1,
    });
  });

  it('that comes again changes nothing, at once, later or after midnight', async () => {
    const source = await makeSource(app);
    const receivedAt = new Date('2026-03-01T23:59:59.000Z');
    const event = incomingEvent('again', { receivedAt, userHash: hashOf('ada') });
    await ingest(app, source, [event, event]);
    await ingest(app, source, [event]);
    await ingest(app, source, [{ ...event, receivedAt: new Date('2026-03-02T00:00:01.000Z') }]);
    expect(await errorsOf(source)).toEqual([
      { id: expect.any(Number), events: 1, users: 1, stored: 1, trend: 1 },
    ]);
  });

  it('of the same id in two projects is two events', async () => {
    const [one, other] = [await makeSource(app), await makeSource(app)];
    const event = incomingEvent('shared');
    await ingest(app, one, [event]);
    await ingest(app, other, [event]);
    expect([await errorsOf(one), await errorsOf(other)].map(({ length }) => length)).toEqual([
      1, 1,
    ]);
  });

  it('of a project that is gone is refused with 404, and its batch is stored', async () => {
    const [gone, source] = [await makeSource(app), await makeSource(app)];
    await app.dataSource.query('DELETE FROM projects WHERE id = $1', [gone.projectId]);
    const results = await Promise.allSettled([
      ingest(app, gone, [incomingEvent('lost')]),
      ingest(app, source, [incomingEvent('kept')]),
    ]);
    expect(results[0]).toMatchObject({ status: 'rejected', reason: { status: 404 } });
    expect(results[1]?.status).toBe('fulfilled');
    expect(await errorsOf(source)).toHaveLength(1);
  });

  it('with a text that PostgreSQL refuses is refused alone', async () => {
    const source = await makeSource(app);
    const results = await Promise.allSettled([
      ingest(app, source, [incomingEvent('bad', { title: 'NUL \0' })]),
      ingest(app, source, [incomingEvent('good')]),
    ]);
    expect(results[0]).toMatchObject({ status: 'rejected', reason: { status: 400 } });
    expect(await errorsOf(source)).toHaveLength(1);
  });
});

describe('events of an error', () => {
  it('are found by any of their hashes, which all stand for it afterwards', async () => {
    const source = await makeSource(app);
    const [app1, all1, all2] = [hashOf('own frames'), hashOf('all frames'), hashOf('other frames')];
    await ingest(app, source, [incomingEvent('one', { hashes: [app1, all1] })]);
    await ingest(app, source, [incomingEvent('two', { hashes: [all1] })]);
    await ingest(app, source, [incomingEvent('three', { hashes: [app1, all2] })]);
    await ingest(app, source, [incomingEvent('four', { hashes: [all2] })]);
    expect(await errorsOf(source)).toMatchObject([{ events: 4 }]);
  });

  it('in one batch make one error by any common hash', async () => {
    const source = await makeSource(app);
    const [first, second] = [hashOf('first'), hashOf('second')];
    await ingest(app, source, [
      incomingEvent('one', { hashes: [first, second] }),
      incomingEvent('two', { hashes: [second] }),
      incomingEvent('three', { hashes: [first] }),
    ]);
    expect(await errorsOf(source)).toMatchObject([{ events: 3 }]);
  });

  it('count people once, and only those who are known', async () => {
    const source = await makeSource(app);
    const people = ['ada', 'ben', 'ada', null].map((name) =>
      incomingEvent('many', { userHash: name === null ? null : hashOf(name) }),
    );
    await ingest(app, source, people);
    await ingest(app, source, [incomingEvent('many', { userHash: hashOf('ben') })]);
    expect(await errorsOf(source)).toMatchObject([{ events: 5, users: 2 }]);
  });

  it('only extend its time range, and the newest one gives its labels', async () => {
    const source = await makeSource(app);
    const at = (minutes: number, release: string) =>
      incomingEvent('timed', {
        receivedAt: minutesAfter(10),
        occurredAt: minutesAfter(minutes),
        release,
        value: `seen at ${minutes}`,
      });
    await ingest(app, source, [at(5, 'c'), at(3, 'b')]);
    await ingest(app, source, [at(1, 'a')]);
    await ingest(app, source, [at(6, 'd')]);
    await ingest(app, source, [at(2, 'e')]);
    const row = await rowOf(
      `SELECT value, first_release, last_release, first_seen_at, last_seen_at
       FROM errors WHERE project_id = $1`,
      [source.projectId],
    );
    expect(row).toEqual({
      value: 'seen at 6',
      first_release: 'a',
      last_release: 'd',
      first_seen_at: minutesAfter(1),
      last_seen_at: minutesAfter(6),
    });
  });

  it('change its searched text once a minute, as messages name another order each time', async () => {
    const source = await makeSource(app);
    const textAfter = async (minutes: number, searchText: string): Promise<string> => {
      await ingest(app, source, [
        incomingEvent('order', { receivedAt: minutesAfter(minutes), searchText }),
      ]);
      const sql = `SELECT text FROM error_texts JOIN errors e ON e.id = error_id
        WHERE project_id = $1`;
      return (await rowOf<{ text: string }>(sql, [source.projectId])).text;
    };
    expect(await textAfter(0, 'order 1')).toBe('order 1');
    expect(await textAfter(0.9, 'order 2')).toBe('order 1');
    expect(await textAfter(1, 'order 3')).toBe('order 3');
    expect(await textAfter(0.5, 'order 4')).toBe('order 3');
  });

  it('reopen it when they happened after it was resolved', async () => {
    const source = await makeSource(app);
    const at = (minutes: number) =>
      incomingEvent('back', { receivedAt: minutesAfter(30), occurredAt: minutesAfter(minutes) });
    await ingest(app, source, [at(0)]);
    const resolve = 'UPDATE errors SET status = $2, status_changed_at = $3 WHERE project_id = $1';
    await app.dataSource.query(resolve, [source.projectId, 1, minutesAfter(10)]);
    const read = 'SELECT status, regressed_at FROM errors WHERE project_id = $1';
    await ingest(app, source, [at(9), at(10)]);
    expect(await rowOf(read, [source.projectId])).toEqual({ status: 1, regressed_at: null });
    await ingest(app, source, [at(11)]);
    const regressed = { status: 0, regressed_at: minutesAfter(30) };
    expect(await rowOf(read, [source.projectId])).toEqual(regressed);
  });

  it('leave it ignored', async () => {
    const source = await makeSource(app);
    await ingest(app, source, [incomingEvent('quiet')]);
    await app.dataSource.query('UPDATE errors SET status = 2 WHERE project_id = $1', [
      source.projectId,
    ]);
    await ingest(app, source, [incomingEvent('quiet')]);
    const { status } = await rowOf<{ status: number }>(
      'SELECT status FROM errors WHERE project_id = $1',
      [source.projectId],
    );
    expect(status).toBe(2);
  });

  it('create a new error when it is deleted meanwhile', async () => {
    const source = await makeSource(app);
    await ingest(app, source, [incomingEvent('deleted')]);
    const deletion = app.dataSource.createQueryRunner();
    await deletion.startTransaction();
    await deletion.query('DELETE FROM errors WHERE project_id = $1', [source.projectId]);
    const taken = ingest(app, source, [incomingEvent('deleted')]);
    await eventually(async () => {
      const waiting = await app.dataSource.query<object[]>(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await deletion.commitTransaction();
    await deletion.release();
    await taken;
    expect(await errorsOf(source)).toMatchObject([{ events: 1, stored: 1, trend: 1 }]);
  });

  it('count at most 100 values of a tag', async () => {
    const source = await makeSource(app);
    const tagged = (from: number) =>
      Array.from({ length: 80 }, (_, at) =>
        incomingEvent('tagged', { tags: new Map([['url', `/${from + at}`]]) }),
      );
    await ingest(app, source, tagged(0));
    await ingest(app, source, tagged(40));
    const counts = await rowOf(
      `SELECT count(*)::int AS values, sum(events_count)::int AS events FROM error_tags
       WHERE project_id = $1`,
      [source.projectId],
    );
    expect(counts).toEqual({ values: 100, events: 140 });
  });
});

describe('an error that happens very often', () => {
  it('has all events counted, but stored only now and then beyond a number', async () => {
    await changeSettings(app, {
      error_tracking_stored_events_per_error: 10,
      error_tracking_sampling_interval: 20,
    });
    const source = await makeSource(app);
    const storm = (length: number) =>
      Array.from({ length }, () => incomingEvent('storm', { receivedAt: NOON }));
    await ingest(app, source, storm(29));
    expect(await errorsOf(source)).toMatchObject([{ events: 29, stored: 10 }]);
    await ingest(app, source, storm(81));
    expect(await errorsOf(source)).toMatchObject([{ events: 110, stored: 15, trend: 110 }]);
    const nextDay = new Date('2026-03-02T00:00:00.000Z');
    await ingest(app, source, [incomingEvent('storm', { receivedAt: nextDay })]);
    expect(await errorsOf(source)).toMatchObject([{ events: 111, stored: 16, trend: 111 }]);
  });
});

describe('two processes that write the same errors', () => {
  it('never get in the way of each other, and lose no count', async () => {
    const other = await startSecondProcess(app);
    try {
      const sources = [await makeSource(app), await makeSource(app)];
      const names = Array.from({ length: 30 }, (_, at) => `hot ${at}`);
      const work = [app, { app: other }].flatMap((process, side) =>
        sources.map(async (source) => {
          for (let round = 0; round < 10; round += 1) {
            const order = side === 0 ? names : names.toReversed();
            await ingest(
              process,
              source,
              order.map((name) => incomingEvent(name)),
            );
          }
        }),
      );
      await Promise.all(work);
      for (const source of sources) {
        const counts = await errorsOf(source);
        expect(counts.map(({ events, trend }) => [events, trend])).toEqual(
          names.map(() => [20, 20]),
        );
      }
    } finally {
      await other.close();
    }
  });
});

describe('an ingest that has too much to do', () => {
  it('refuses what does not fit, and takes all the rest', async () => {
    const source = await makeSource(app);
    const service = app.app.get(ErrorIngest, { strict: false });
    const bytes = Buffer.alloc(1024 * 1024);
    const results = await Promise.allSettled(
      Array.from({ length: 80 }, () =>
        service.receive(
          source,
          incomingEvent('large', { payload: { bytes, encoding: 'identity', isEnvelope: false } }),
        ),
      ),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(17);
    expect(refused[0]).toMatchObject({ reason: { status: 503 } });
    expect(await errorsOf(source)).toMatchObject([{ events: 63 }]);
  });
});
