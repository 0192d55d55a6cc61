import { beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorGroup } from '../../src/error-tracking/error-group.entity.js';
import { ERROR_STATUS } from '../../src/error-tracking/error-values.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import type { ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { countInHour, makeError, tagError } from '../support/error-factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makeTracked } from './tracked.js';

let app: TestApp;

beforeAll(async () => {
  app = await sharedTestApp();
});

const HOUR_SECONDS = 3_600;

async function idsOf(client: ApiClient, path: string): Promise<number[]> {
  const response = await client.get(path);
  expect([response.status, response.body]).toEqual([200, expect.any(Array)]);
  return (response.body as { id: number }[]).map(({ id }) => id);
}

async function makeIssue(projectId: number, authorId: number): Promise<number> {
  const issue = { projectId, iid: 5, authorId, title: 'Cart', confidential: true };
  const inserted = await app.dataSource.manager.insert(Issue, issue);
  return (inserted.identifiers[0] as { id: number }).id;
}

describe('one error', () => {
  it('has all its fields, its last day by hour and its tags', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const issueId = await makeIssue(project.id, developer.user.id);
    const error = await makeError(app, project, {
      status: ERROR_STATUS.unresolved,
      type: 'TypeError',
      value: 'x is undefined\nin cart',
      culprit: 'checkout(shop.cart)',
      platform: 'javascript',
      logger: 'shop',
      level: 4,
      isUnhandled: true,
      firstSeenAt: new Date('2026-03-01T10:00:00Z'),
      lastSeenAt: new Date('2026-03-02T10:00:00.123Z'),
      eventsCount: 1_000_000,
      usersCount: 17,
      firstRelease: 'lathe@1.0',
      lastRelease: 'lathe@1.1',
      regressedAt: new Date('2026-03-02T09:00:00Z'),
      issueId,
    });
    await tagError(app, { ...error, tagged: 3 }, { environment: 'production', browser: 'Firefox' });
    await tagError(app, { ...error, tagged: 5 }, { environment: 'staging' });
    await countInHour(app, error, { hoursAgo: 0, count: 2 });
    await countInHour(app, error, { hoursAgo: 23, count: 7 });
    await countInHour(app, error, { hoursAgo: 24, count: 99 });
    const { status, body } = await developer.api.get(`${errors}/${error.id}`);
    const { frequency } = body as { frequency: number[][] };
    const start = frequency[0]?.[0] ?? 0;

    expect([status, body]).toEqual([
      200,
      {
        id: error.id,
        project_id: project.id,
        title: 'TypeError: x is undefined',
        type: 'TypeError',
        message: 'x is undefined\nin cart',
        culprit: 'checkout(shop.cart)',
        platform: 'javascript',
        level: 'fatal',
        logger: 'shop',
        unhandled: true,
        status: 'unresolved',
        first_seen: '2026-03-01T10:00:00.000Z',
        last_seen: '2026-03-02T10:00:00.123Z',
        count: 1_000_000,
        user_count: 17,
        first_release_version: 'lathe@1.0',
        last_release_version: 'lathe@1.1',
        regressed_at: '2026-03-02T09:00:00.000Z',
        resolved_release: null,
        ignored_until: null,
        ignored_until_count: null,
        assignee: null,
        issue: {
          iid: 5,
          title: 'Cart',
          state: 'opened',
          web_url: `${app.url}/${project.fullPath}/-/issues/5`,
        },
        web_url: `${app.url}/${project.fullPath}/-/error_tracking/${error.id}/details`,
        frequency: Array.from({ length: 24 }, (_, at) => [
          start + at * HOUR_SECONDS,
          { 0: 7, 23: 2 }[at] ?? 0,
        ]),
        tags: {
          browser: [{ value: 'Firefox', count: 3 }],
          environment: [
            { value: 'staging', count: 5 },
            { value: 'production', count: 3 },
          ],
        },
      },
    ]);
    expect(start % HOUR_SECONDS).toBe(0);
  });

  it('is named by its message, or by where it happened, when it has no type', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const message = await makeError(app, project, { type: null, value: ' Out of paper\r\nagain' });
    const bare = await makeError(app, project, { type: null, value: null, culprit: 'print(job)' });
    const long = await makeError(app, project, { value: `${'x'.repeat(243)}😀` });
    const titles: unknown[] = [];
    for (const { id } of [message, bare, long]) {
      const { body } = await developer.api.get(`${errors}/${id}`);
      titles.push((body as { title: string }).title);
    }

    expect(titles).toEqual(['Out of paper', 'print(job)', `TypeError: ${'x'.repeat(243)}`]);
  });

  it('hides issues of other projects and where issues are turned off', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const other = await makeTracked(app);
    const issueId = await makeIssue(other.project.id, developer.user.id);
    const { id } = await makeError(app, project, { issueId });
    const without = await makeTracked(app, { issuesEnabled: false });
    const hidden = await makeError(app, without.project, {
      issueId: await makeIssue(without.project.id, without.developer.user.id),
    });

    expect((await developer.api.get(`${errors}/${id}`)).body).toMatchObject({ issue: null });
    const { body } = await without.developer.api.get(`${without.errors}/${hidden.id}`);
    expect(body).toMatchObject({ issue: null });
  });

  it('is found in its project only', async () => {
    const { errors, developer } = await makeTracked(app);
    const other = await makeTracked(app);
    const { id } = await makeError(app, other.project);
    for (const path of [`/${id}`, '/99999999999999999', `/${id}/tags`, `/${id}/trend`]) {
      const response = await developer.api.get(`${errors}${path}`);
      expect([response.status, response.body]).toEqual([404, { message: '404 Error Not Found' }]);
    }
    expect((await developer.api.get(`${errors}/x`)).body).toMatchObject({
      error: 'error_id is invalid',
    });
  });
});

describe('tags and trends of an error', () => {
  it('tell the ten most frequent values of each tag', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const error = await makeError(app, project);
    for (let number = 1; number <= 12; number += 1) {
      await tagError(
        app,
        { ...error, tagged: number },
        { page: `/p${String(number).padStart(2, '0')}` },
      );
    }
    await tagError(app, { ...error, tagged: 4 }, { os: 'Linux' });
    const { status, body } = await developer.api.get(`${errors}/${error.id}/tags`);
    const values = Array.from({ length: 10 }, (_, at) => ({
      value: `/p${String(12 - at).padStart(2, '0')}`,
      count: 12 - at,
    }));

    expect([status, body]).toEqual([
      200,
      [
        { key: 'os', total: 4, values: [{ value: 'Linux', count: 4 }] },
        { key: 'page', total: 78, values },
      ],
    ]);
  });

  it('count events by day of UTC, without a gap', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const error = await makeError(app, project);
    const today = new Date().toISOString().slice(0, 10);
    const hour = new Date().getUTCHours();
    await countInHour(app, error, { hoursAgo: hour, count: 2 });
    await countInHour(app, error, { hoursAgo: hour + 24, count: 3 });
    await countInHour(app, error, { hoursAgo: hour + 25, count: 100 });
    const path = `${errors}/${error.id}/trend`;
    const { status, body } = await developer.api.get(`${path}?days=2`);

    expect([status, body]).toEqual([
      200,
      [
        { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), count: 3 },
        { day: today, count: 2 },
      ],
    ]);
    expect((await developer.api.get(path)).body).toHaveLength(30);
    expect((await developer.api.get(`${path}?days=9999`)).body).toHaveLength(365);
    expect((await developer.api.get(`${path}?days=0`)).status).toBe(400);
  });
});

describe('the list of errors', () => {
  it('shows unresolved ones unless asked otherwise, those seen last first', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const seenAt = (day: number) => new Date(Date.UTC(2026, 2, day));
    const made = [];
    for (const [status, first, last, eventsCount] of [
      [0, 1, 9, 5],
      [0, 2, 8, 7],
      [1, 3, 7, 9],
      [2, 4, 6, 1],
    ] as const) {
      const times = { firstSeenAt: seenAt(first), lastSeenAt: seenAt(last) };
      made.push((await makeError(app, project, { status, eventsCount, ...times })).id);
    }
    const [a, b, resolved, ignored] = made;
    const expected: [string, unknown[]][] = [
      ['', [a, b]],
      ['?status=resolved', [resolved]],
      ['?status=ignored', [ignored]],
      ['?status=all', [a, b, resolved, ignored]],
      ['?order_by=first_seen', [b, a]],
      ['?order_by=frequency&sort=asc', [a, b]],
      ['?status=all&order_by=frequency', [resolved, b, a, ignored]],
      ['?status=all&order_by=first_seen&sort=asc', [a, b, resolved, ignored]],
      ['?status=all&per_page=1&page=3', [resolved]],
    ];

    for (const [query, ids] of expected) {
      expect([query, await idsOf(developer.api, `${errors}${query}`)]).toEqual([query, ids]);
    }
    const { headers } = await developer.api.get(`${errors}?status=all&per_page=3`);
    expect(headers).toMatchObject({ 'x-total': '4', 'x-total-pages': '2', 'x-next-page': '2' });
  });

  it('has what the errors have by themselves but for trends and tags', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const { id } = await makeError(app, project);
    const { body: list } = await developer.api.get(errors);
    const { body: one } = await developer.api.get(`${errors}/${id}`);

    expect(one).toEqual({
      ...(list as object[])[0],
      frequency: expect.any(Array),
      tags: {},
    });
  });

  it('finds words anywhere in the searched text, wildcards taken literally', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const one = await makeError(app, project, { searchText: 'typeerror disk 100% full sumof' });
    const two = await makeError(app, project, { searchText: 'rangeerror disk 1000 full' });

    const find = (search: string) =>
      idsOf(developer.api, `${errors}?search=${encodeURIComponent(search)}`);
    expect(await find('DISK full')).toEqual([two.id, one.id]);
    expect(await find('100%')).toEqual([one.id]);
    expect(await find('sumOf  typeerror')).toEqual([one.id]);
    expect(await find('di_k')).toEqual([]);
    expect(await find("'; DROP TABLE errors; --")).toEqual([]);
  });

  it('finds an error by the text of its newest event only, in any state', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const { id } = await makeError(app, project, { searchText: 'timeout of the cart' });
    await app.dataSource
      .getRepository(ErrorGroup)
      .update(id, { searchText: 'timeout of the till' });

    const find = (search: string) => idsOf(developer.api, `${errors}?status=all&search=${search}`);
    expect(await find('till')).toEqual([id]);
    expect(await find('cart')).toEqual([]);
  });

  it('finds errors by environment, release and tags, and by what they never had', async () => {
    const { project, errors, developer } = await makeTracked(app);
    const one = await makeError(app, project);
    const two = await makeError(app, project);
    const elsewhere = await makeTracked(app);
    await tagError(app, await makeError(app, elsewhere.project), { environment: 'production' });
    await tagError(app, one, { environment: 'production', release: '1.0', browser: 'Firefox' });
    await tagError(app, one, { environment: 'staging' });
    await tagError(app, two, { environment: 'production', release: '1.1', browser: 'Chrome' });
    const expected: [string, number[]][] = [
      ['environment=production', [two.id, one.id]],
      ['environment=staging', [one.id]],
      ['release=1.1', [two.id]],
      ['tags[browser]=Chrome', [two.id]],
      ['tags[browser]=Chrome&environment=staging', []],
      ['tags[browser]=Firefox&tags[release]=1.0', [one.id]],
      ['not[environment]=staging', [two.id]],
      ['not[release]=1.1', [one.id]],
      ['not[tags][browser]=Chrome&environment=production', [one.id]],
      ['tags[toString]=x', []],
      ['tags[constructor]=x', []],
      ['tags=', [two.id, one.id]],
    ];

    for (const [query, ids] of expected) {
      const path = `${errors}?${query}`;
      expect([query, await idsOf(developer.api, path)]).toEqual([query, ids]);
    }
  });

  it('refuses filters that mean nothing', async () => {
    const { errors, developer } = await makeTracked(app);
    const refused = [
      ['status=open', 'status does not have a valid value'],
      ['order_by=id', 'order_by does not have a valid value'],
      ['sort=up', 'sort does not have a valid value'],
      ['tags=x', 'tags is invalid'],
      ['tags[a][b]=x', 'tags is invalid'],
      ['not=x', 'not is invalid'],
      ['not[release][]=x', 'not is invalid'],
    ] as const;

    for (const [query, error] of refused) {
      const response = await developer.api.get(`${errors}?${query}`);
      expect([query, response.status, response.body]).toEqual([
        query,
        400,
        expect.objectContaining({ error }),
      ]);
    }
    const many = Array.from({ length: 21 }, (_, at) => `tags[t${at}]=x`).join('&');
    expect((await developer.api.get(`${errors}?${many}`)).body).toMatchObject({
      error: 'tags has a value not allowed',
    });
  });

  it('is for Reporters and above, also in public projects', async () => {
    const { project, errors } = await makeTracked(app, { visibility: 'public' });
    const { id } = await makeError(app, project);
    const statuses: number[] = [];
    for (const role of ['guest', 'reporter'] as const) {
      const member = await makeMemberOf(app, project, role);
      for (const path of ['', `/${id}`]) {
        statuses.push((await member.api.get(`${errors}${path}`)).status);
      }
    }

    expect(statuses).toEqual([403, 403, 200, 200]);
  });
});
