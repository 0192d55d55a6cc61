import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorSource } from '../../src/error-tracking/ingest/grouped-events.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { hashOf, incomingEvent, ingest, makeSource } from '../support/error-ingest.js';
import { changeSettings } from '../support/settings.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** Returns the counts of a project's only error, and the number of its tags and users. */
async function countsOf({ projectId }: ErrorSource): Promise<object> {
  const rows = await app.dataSource.query<object[]>(
    `SELECT events_count::int AS events, users_count AS users,
       (SELECT count(*)::int FROM error_users WHERE error_id = e.id) AS people,
       (SELECT count(DISTINCT key)::int FROM error_tags WHERE error_id = e.id) AS keys,
       (SELECT sum(events_count)::int FROM error_tags WHERE error_id = e.id) AS tagged
     FROM errors e WHERE project_id = $1`,
    [projectId],
  );
  expect(rows).toHaveLength(1);
  return rows[0] as object;
}

describe('what is kept of an error', () => {
  it('are 10,000 people at most', async () => {
    const source = await makeSource(app);
    const seenBy = (...names: string[]) =>
      names.map((name) => incomingEvent('common', { userHash: hashOf(name) }));
    await ingest(app, source, seenBy('ada'));
    await app.dataSource.query('UPDATE errors SET users_count = 9999 WHERE project_id = $1', [
      source.projectId,
    ]);
    await ingest(app, source, seenBy('ben', 'cleo', 'dan'));
    await ingest(app, source, seenBy('eve'));
    expect(await countsOf(source)).toMatchObject({ events: 5, users: 10_000, people: 2 });
  });

  it('are 100 names of tags at most', async () => {
    const source = await makeSource(app);
    const tagged = (from: number) =>
      incomingEvent('tagged', {
        tags: new Map(Array.from({ length: 60 }, (_, at) => [`tag ${from + at}`, 'yes'])),
      });
    await ingest(app, source, [tagged(0)]);
    await ingest(app, source, [tagged(60)]);
    expect(await countsOf(source)).toMatchObject({ events: 2, keys: 100, tagged: 100 });
  });

  it('are the tags of events that are stored, so that both tell the same', async () => {
    await changeSettings(app, {
      error_tracking_stored_events_per_error: 2,
      error_tracking_sampling_interval: 1_000,
    });
    const source = await makeSource(app);
    const events = Array.from({ length: 5 }, () =>
      incomingEvent('frequent', { tags: new Map([['browser', 'Firefox']]) }),
    );
    await ingest(app, source, events);
    expect(await countsOf(source)).toMatchObject({ events: 5, keys: 1, tagged: 2 });
  });

  it('are texts with all characters that mean something in a list of PostgreSQL', async () => {
    const source = await makeSource(app);
    const texts = [
      '"',
      '\\',
      'a"b\\"c\\',
      '{1,2}',
      ',',
      'NULL',
      'null',
      'line\nbreak',
      '日本 😀',
      "it's",
    ];
    const tags = new Map(texts.map((text, at) => [`${text} ${at}`, text]));
    await ingest(app, source, [incomingEvent('quoted', { tags, release: null })]);
    await ingest(app, source, [incomingEvent('quoted', { tags, release: null })]);
    const stored = await app.dataSource.query<{ key: string; value: string; events: number }[]>(
      `SELECT key, value, events_count::int AS events FROM error_tags WHERE project_id = $1`,
      [source.projectId],
    );
    expect(new Map(stored.map(({ key, value }) => [key, value]))).toEqual(tags);
    expect(new Set(stored.map(({ events }) => events))).toEqual(new Set([2]));
  });
});
