import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { recordEvent, recordMany } from '../support/event-factories.js';
import { makeActor, makeAdmin, makeToken, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import {
  makeGroup,
  makeMember,
  makeMemberOf,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

let app: TestApp;
let ann: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  ann = await makeActor(app);
});

type Attributes = Partial<Parameters<typeof makeProject>[1]>;

function project(attributes: Attributes = {}): Promise<MadeProject> {
  return makeProject(app, { namespaceId: ann.user.namespaceId, ...attributes });
}

/** An event of joining the project. */
function joins(place: MadeProject, { user }: MadeActor, createdAt?: Date): Promise<number> {
  return recordEvent(app, {
    projectId: place.id,
    authorId: user.id,
    action: 'joined',
    target: { type: 'project', id: place.id },
    ...(createdAt && { createdAt }),
  });
}

async function idsOf(client: MadeActor['api'], path: string): Promise<number[]> {
  const { body } = await client.get(path).expect(200);
  return (body as { id: number }[]).map(({ id }) => id);
}

describe('who may list events', () => {
  it('requires a token for own events', async () => {
    await api(app.url).get('/events').expect(401, { message: '401 Unauthorized' });
    await api(app.url, 'svcpat-unknown').get(`/users/${ann.user.id}/events`).expect(401);
  });

  it.each(['read_user', 'read_api', 'api'] as const)(
    'is who has a token with the scope %s, for all three lists',
    async (scope) => {
      const { id } = await project();
      const client = api(app.url, await makeToken(app, ann.user, { scopes: [scope] }));
      for (const path of [
        '/events',
        `/users/${ann.user.username}/events`,
        `/projects/${id}/events`,
      ]) {
        const { headers } = await client.get(path).expect(200);
        expect(headers).toMatchObject({ 'x-page': '1', 'x-per-page': '20' });
        const head = await client.head(path).expect(200);
        expect(head.text).toBeUndefined();
        expect(head.headers).toMatchObject({ 'x-page': '1', 'x-per-page': '20' });
      }
    },
  );

  it('is not who has a token for repositories only', async () => {
    const { id } = await project({ visibility: 'public' });
    const client = api(app.url, await makeToken(app, ann.user, { scopes: ['read_repository'] }));
    for (const path of ['/events', `/users/${ann.user.id}/events`, `/projects/${id}/events`]) {
      const { body } = await client.get(path).expect(403);
      expect(body).toMatchObject({ error: 'insufficient_scope' });
    }
  });

  it('finds no other method', async () => {
    const { id } = await project();
    for (const path of ['/events', `/users/${ann.user.id}/events`, `/projects/${id}/events`]) {
      const { headers } = await ann.api.post(path, {}).expect(405);
      expect(headers['allow']).toBe('OPTIONS, GET, HEAD');
    }
  });
});

describe('the filters', () => {
  it.each([
    ['action=opened', 'action does not have a valid value'],
    ['action=Closed', 'action does not have a valid value'],
    [
      'sort=up&target_type=epic',
      'target_type does not have a valid value, sort does not have a valid value',
    ],
    ['before=nope', 'before is invalid'],
    ['after=2016-02-30', 'after is invalid'],
    ['after=2016-13-1&before=16-1-1', 'before is invalid, after is invalid'],
    ['page=x', 'page is invalid'],
    ['per_page=0', 'per_page has a value not allowed'],
  ])('refuse %s', async (query, error) => {
    const { id } = await project();
    const body = { message: `400 (Bad request) ${error}`, error };
    for (const path of ['/events', `/users/${ann.user.id}/events`, `/projects/${id}/events`]) {
      await ann.api.get(`${path}?${query}`).expect(400, body);
    }
  });

  it('know all kinds of targets, of which some never have events', async () => {
    const bob = await makeActor(app);
    const place = await makeProject(app, { namespaceId: bob.user.namespaceId });
    const joined = await joins(place, bob);
    await createIssue(bob.api, place);
    const list = (target: string) => idsOf(bob.api, `/events?target_type=${target}`);
    expect(await list('project')).toEqual([joined]);
    expect(await list('issue')).toHaveLength(1);
    for (const target of [
      'milestone',
      'merge_request',
      'note',
      'snippet',
      'user',
      'wiki',
      'design',
    ])
      expect(await list(target)).toEqual([]);
  });

  it('leave both days out', async () => {
    const bob = await makeActor(app);
    const place = await makeProject(app, { namespaceId: bob.user.namespaceId });
    const first = await joins(place, bob, new Date('2016-12-30T00:00:00Z'));
    const last = await joins(place, bob, new Date('2016-12-30T23:59:59.999Z'));
    const next = await joins(place, bob, new Date('2016-12-31T00:00:00Z'));
    const list = (query: string) => idsOf(bob.api, `/events?${query}`);
    expect(await list('after=2016-12-29&before=2016-12-31')).toEqual([last, first]);
    expect(await list('after=2016-12-1')).toEqual([next, last, first]);
    expect(await list('after=2016-12-30')).toEqual([next]);
    expect(await list('before=2016-12-30')).toEqual([]);
    expect(await list('after=2016-12-30&before=2016-12-31')).toEqual([]);
    expect(await list('after=2016-12-30&before=2016-12-30')).toEqual([]);
    expect(await list('after=&before=&sort=asc')).toEqual([first, last, next]);
    expect(await list('before=2016-12-31T12:00:00Z')).toEqual([last, first]);
    expect(await list('before=2016-12-31%2023:59:59.5%2B02:00')).toEqual([last, first]);
    expect(await list('before=9999-12-31&after=0000-01-01')).toEqual([next, last, first]);
    expect(await list('after=9999-12-31')).toEqual([]);
    for (const sort of ['asc', 'desc']) {
      expect(await list(`before=0000-01-01&sort=${sort}`)).toEqual([]);
      const path = `/projects/${place.id}/events?before=0000-01-01&sort=${sort}`;
      expect(await idsOf(bob.api, path)).toEqual([]);
    }
  });

  it('take any word for the scope, and no other parameter', async () => {
    await ann.api.get('/events?scope=mine&nonsense=1&scope=created').expect(200);
    const { id } = await project();
    await ann.api.get(`/projects/${id}/events?scope=all`).expect(200);
  });
});

describe('the own events', () => {
  it('are those of others, too, with scope=all: in projects one is a member of', async () => {
    const group = await makeOwnedGroup(app, ann);
    const below = await makeGroup(app, { parentId: group.id });
    const inGroup = await makeProject(app, { namespaceId: below.id });
    const direct = await project();
    const open = await project({ visibility: 'public' });
    const bob = await makeMemberOf(app, direct, 'developer');
    await makeMember(app, { group, user: bob.user, role: 'guest' });
    const left = await makeMemberOf(app, direct, 'guest');
    const ids = [await joins(direct, bob), await joins(direct, ann), await joins(inGroup, ann)];
    const elsewhere = await joins(open, bob);
    expect(await idsOf(bob.api, '/events?scope=all')).toEqual(ids.toReversed());
    expect(await idsOf(bob.api, '/events?scope=all&sort=asc')).toEqual(ids);
    expect(await idsOf(bob.api, '/events?scope=ALL')).toEqual([elsewhere, ids[0]]);
    expect(await idsOf(bob.api, `/users/${bob.user.id}/events?scope=all`)).toEqual([
      elsewhere,
      ids[0],
    ]);
    await app.dataSource.query('DELETE FROM members WHERE user_id = $1', [left.user.id]);
    expect(await idsOf(left.api, '/events?scope=all')).toEqual([]);
  });

  it('are complete with scope=all, however old', async () => {
    const bob = await makeActor(app);
    const place = await makeProject(app, { namespaceId: bob.user.namespaceId });
    // A page is full before it comes to the older ones.
    const days = [400, 200, 100, 20, 10, 1];
    const ids: number[] = [];
    for (const day of days)
      ids.push(await joins(place, bob, new Date(Date.now() - day * 86_400_000)));
    const { headers } = await bob.api.get('/events?scope=all&per_page=2').expect(200);
    expect(headers).toMatchObject({ 'x-total': '6', 'x-total-pages': '3', 'x-next-page': '2' });
    const pages = await Promise.all(
      [1, 2, 3].map((page) => idsOf(bob.api, `/events?scope=all&per_page=2&page=${page}`)),
    );
    expect(pages.flat()).toEqual(ids.toReversed());
    await recordMany(app, { projectId: place.id, authorId: bob.user.id, count: 10_001 });
    const deep = await bob.api.get('/events?scope=all&per_page=100&page=101').expect(200);
    expect(deep.body.map(({ id }: { id: number }) => id).slice(1)).toEqual(ids.toReversed());
    expect(deep.headers['x-total']).toBeUndefined();
  });
});

describe('events of a user', () => {
  it('are found by id and by username in any case, dots included', async () => {
    const username = `Dot.${Date.now().toString(36)}.X`;
    const bob = await makeActor(app, { username });
    const place = await makeProject(app, {
      namespaceId: bob.user.namespaceId,
      visibility: 'public',
    });
    await joins(place, bob);
    const byName = await ann.api.get(`/users/${username}/events`).expect(200);
    const byId = await ann.api.get(`/users/${bob.user.id}/events`).expect(200);
    const lower = await ann.api.get(`/users/${username.toLowerCase()}/events`).expect(200);
    expect(byName.body).toHaveLength(1);
    expect([byId.body, lower.body]).toEqual([byName.body, byName.body]);
  });

  it.each(['999999', 'nobody.at.all', '99999999999999999999'])('are 404 for %s', async (name) => {
    await ann.api.get(`/users/${name}/events`).expect(404, { message: '404 User Not Found' });
  });

  it.each([
    { privateProfile: true },
    { state: 'blocked' },
    { state: 'banned' },
    { confirmedAt: null },
  ] as const)('are shown to administrators only with %p', async (attributes) => {
    const bob = await makeActor(app);
    const place = await makeProject(app, {
      namespaceId: bob.user.namespaceId,
      visibility: 'public',
    });
    const event = await joins(place, bob);
    const path = `/users/${bob.user.id}/events`;
    expect(await idsOf(ann.api, path)).toEqual([event]);
    await app.dataSource.manager.update('User', { id: bob.user.id }, attributes);
    const { body, headers } = await ann.api.get(path).expect(200);
    expect(body).toEqual([]);
    expect(headers).toMatchObject({ 'x-total': '0', 'x-page': '1', 'x-next-page': '' });
    expect(await idsOf(api(app.url), path)).toEqual([]);
    expect(await idsOf((await makeAdmin(app)).api, path)).toEqual([event]);
    const mine = await bob.api.get(path);
    const isShut = mine.status === 403 || mine.status === 401;
    expect(isShut || mine.body.length === 1).toBe(true);
    if ('privateProfile' in attributes) expect(mine.status).toBe(200);
  });
});

describe('events of a project', () => {
  it('are those of everyone, by path and by ID', async () => {
    const place = await project({ visibility: 'public' });
    const bob = await makeMemberOf(app, place, 'developer');
    const ids = [await joins(place, bob), await joins(place, ann)];
    expect(await idsOf(api(app.url), `/projects/${place.id}/events`)).toEqual(ids.toReversed());
    const path = `/projects/${encodeURIComponent(place.fullPath)}/events`;
    expect(await idsOf(api(app.url), path)).toEqual(ids.toReversed());
    await ann.api.get(`/projects/${place.fullPath}/events`).expect(404, { error: '404 Not Found' });
  });

  it('are 404 where the project is not seen', async () => {
    const { id } = await project();
    const out = await makeActor(app);
    const gone = { message: '404 Project Not Found' };
    await out.api.get(`/projects/${id}/events?action=nonsense`).expect(404, gone);
    await api(app.url).get(`/projects/${id}/events`).expect(404, gone);
    await ann.api.get('/projects/999999/events').expect(404, gone);
  });
});

describe('the pages', () => {
  it('are full, and tell how many there are', async () => {
    const place = await project();
    await recordMany(app, { projectId: place.id, authorId: ann.user.id, count: 45 });
    const { body, headers } = await ann.api
      .get(`/projects/${place.id}/events?per_page=20&page=3`)
      .expect(200);
    expect(body).toHaveLength(5);
    expect(headers).toMatchObject({ 'x-total': '45', 'x-total-pages': '3', 'x-next-page': '' });
    expect(headers['link']).not.toContain('rel="next"');
    const past = await ann.api.get(`/projects/${place.id}/events?page=4`).expect(200);
    expect(past.body).toEqual([]);
    expect(past.headers['x-total']).toBe('45');
    const capped = await ann.api.get(`/projects/${place.id}/events?per_page=500`).expect(200);
    expect(capped.headers['x-per-page']).toBe('100');
    expect(capped.body).toHaveLength(45);
  });

  it('are not counted beyond 10,000 events, nor is the last one named', async () => {
    const bob = await makeActor(app);
    const place = await makeProject(app, { namespaceId: bob.user.namespaceId });
    await recordMany(app, { projectId: place.id, authorId: bob.user.id, count: 10_000 });
    const lists = [`/projects/${place.id}/events`, '/events', '/events?scope=all&sort=desc'];
    for (const path of lists) {
      const { headers } = await bob.api.get(path).expect(200);
      expect([path, headers['x-total'], headers['x-total-pages']]).toEqual([path, '10000', '500']);
      expect(headers['link']).toContain('rel="last"');
    }
    await joins(place, bob);
    for (const path of [...lists, ...lists]) {
      const { headers, body } = await bob.api.get(path).expect(200);
      expect([path, headers['x-total'], headers['x-total-pages']]).toEqual([
        path,
        undefined,
        undefined,
      ]);
      expect(headers['link']).not.toContain('rel="last"');
      expect(headers['x-next-page']).toBe('2');
      expect(body).toHaveLength(20);
    }
    const last = await bob.api
      .get(`/projects/${place.id}/events?per_page=100&page=101`)
      .expect(200);
    expect(last.body).toHaveLength(1);
    expect(last.headers['x-next-page']).toBe('');
  });

  it('are full when there are many, of which only a few happened lately', async () => {
    const bob = await makeActor(app);
    const place = await makeProject(app, { namespaceId: bob.user.namespaceId });
    const until = new Date('2024-02-29T12:00:00Z');
    await recordMany(app, {
      projectId: place.id,
      authorId: bob.user.id,
      count: 10_001,
      until,
    });
    const latest = await joins(place, bob);
    for (const time of ['first', 'second']) {
      const path = `/projects/${place.id}/events`;
      const { headers, body } = await bob.api.get(path).expect(200);
      expect([time, headers['x-total'], headers['x-next-page']]).toEqual([time, undefined, '2']);
      const times = (body as { created_at: string }[]).map(({ created_at }) => created_at);
      expect(times).toHaveLength(20);
      expect(body[0].id).toBe(latest);
      expect(times[1]).toBe(until.toISOString());
    }
  });

  it('have each event once when many are of one moment', async () => {
    const place = await project();
    const moment = new Date('2025-05-05T05:05:05.005Z');
    const ids: number[] = [];
    for (let count = 0; count < 7; count += 1) ids.push(await joins(place, ann, moment));
    for (const [sort, expected] of [
      ['asc', ids],
      ['desc', ids.toReversed()],
    ] as const) {
      const pages = await Promise.all(
        [1, 2, 3].map((page) =>
          idsOf(ann.api, `/projects/${place.id}/events?per_page=3&page=${page}&sort=${sort}`),
        ),
      );
      expect(pages.flat()).toEqual(expected);
    }
  });
});
