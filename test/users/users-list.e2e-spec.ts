import { beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response } from 'supertest';
import type { User } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';

let app: TestApp;
let reader: MadeActor;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  reader = await makeActor(app);
  admin = await makeAdmin(app);
});

type Five<T> = [T, T, T, T, T];

function ids(response: Response): number[] {
  return (response.body as { id: number }[]).map(({ id }) => id);
}

async function makeUsers(name: string, count: number): Promise<void> {
  await app.dataSource.query(
    `WITH made AS (
       INSERT INTO users (username, name, email)
       SELECT $1 || n, $1, $1 || n || '@example.com' FROM generate_series(1, $2::int) n
       RETURNING id, username, name)
     INSERT INTO namespaces (kind, owner_id, name, path, full_path, full_name)
     SELECT 'user', id, name, username, username, name FROM made`,
    [name, count],
  );
}

describe('GET /users', () => {
  it('shows signed-in users the short form, newest first', async () => {
    const older = await makeUser(app, { name: 'Twin of the list' });
    const newer = await makeUser(app, { name: 'Twin of the list' });
    const response = await reader.api.get('/users?search=twin+of+the').expect(200);
    expect(response.body).toEqual(
      [newer, older].map(({ id, username, name }) => ({
        id,
        username,
        name,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: `${app.url}/${username}`,
      })),
    );
  });

  it('shows administrators accounts', async () => {
    const user = await makeUser(app);
    const { body } = await admin.api.get(`/users?username=${user.username}`).expect(200);
    expect(body).toEqual([
      expect.objectContaining({ email: user.email, is_admin: false, two_factor_enabled: false }),
    ]);
  });

  it('returns 403 to anonymous requests, except for one username', async () => {
    const { body } = await api(app.url).get('/users').expect(403);
    expect(body).toEqual({ message: '403 Forbidden - Not authorized to access /api/v4/users' });
    await api(app.url).get('/users?search=a').expect(403);
    await api(app.url).get('/users?username=').expect(403);
    const { username, id } = reader.user;
    const one = await api(app.url).get(`/users?username=${username.toUpperCase()}`).expect(200);
    const none = await api(app.url).get('/users?username=nobody-here').expect(200);
    expect([ids(one), ids(none)]).toEqual([[id], []]);
  });

  it('does not tell anonymous callers who is blocked', async () => {
    const { username, id } = await makeUser(app);
    const admin = await makeAdmin(app);
    await admin.api.post(`/users/${id}/block`).expect(201);
    const anonymous = await api(app.url).get(`/users?username=${username}`).expect(200);
    expect(anonymous.body).toEqual([]);
    const { body } = await admin.api.get(`/users?username=${username}`).expect(200);
    expect(body).toMatchObject([{ username, state: 'blocked' }]);
  });

  it('pages with totals and links', async () => {
    const name = unique('paged');
    for (let n = 0; n < 8; n += 1) await makeUser(app, { name });
    const response = await reader.api.get(`/users?search=${name}&per_page=3&page=2`).expect(200);
    expect(response.body).toHaveLength(3);
    expect(response.headers).toMatchObject({
      'x-total': '8',
      'x-total-pages': '3',
      'x-page': '2',
      'x-prev-page': '1',
      'x-next-page': '3',
    });
    const rels = [...String(response.headers['link']).matchAll(/rel="(\w+)"/g)];
    expect(rels.map(([, rel]) => rel)).toEqual(['prev', 'next', 'first', 'last']);
  });

  it('names the other pages with all that was asked for but the token', async () => {
    const query = `search=no?body%26&per_page=500&z[]=1&sudo=&private_token=${reader.token}`;
    const response = await request(app.url).get(`/api/v4/users?${query}`).expect(200);
    const base = `${app.url}/api/v4/users?page=1&per_page=500&search=no%3Fbody%26&sudo=&z%5B%5D=1`;
    expect(response.headers['link']).toBe(`<${base}>; rel="first", <${base}>; rel="last"`);
  });

  it('counts up to 10,000 records and leaves the totals out above', async () => {
    const name = unique('many');
    await makeUsers(name, 10_000);
    const counted = await reader.api.get(`/users?search=${name}`).expect(200);
    await makeUsers(`${name}x`, 1);
    const uncounted = await reader.api.get(`/users?search=${name}&page=500`).expect(200);

    expect(counted.headers).toMatchObject({ 'x-total': '10000', 'x-total-pages': '500' });
    expect(counted.headers['link']).toContain('rel="last"');
    expect(uncounted.headers).toMatchObject({ 'x-next-page': '501', 'x-prev-page': '499' });
    expect(uncounted.headers).not.toHaveProperty('x-total');
    expect(uncounted.headers).not.toHaveProperty('x-total-pages');
    expect(uncounted.headers['link']).not.toContain('rel="last"');
  });

  it('clamps per_page and refuses impossible pages', async () => {
    const clamped = await reader.api.get('/users?per_page=500').expect(200);
    const zero = await reader.api.get('/users?per_page=0').expect(400);
    const word = await reader.api.get('/users?page=x').expect(400);
    expect(clamped.headers['x-per-page']).toBe('100');
    expect(zero.body).toMatchObject({ error: 'per_page has a value not allowed' });
    expect(word.body).toMatchObject({ error: 'page is invalid' });
  });

  it.each([
    ['active=maybe', 'active is invalid'],
    ['order_by=zzz', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['two_factor=1', 'two_factor does not have a valid value'],
    ['created_after=yesterday', 'created_after is invalid'],
    ['username[]=a', 'username is invalid'],
  ])('refuses %s', async (query, error) => {
    const { body } = await reader.api.get(`/users?${query}`).expect(400);
    expect(body).toEqual({ message: `400 (Bad request) ${error}`, error });
  });
});

describe('the filters of GET /users', () => {
  const filterCases: [string, Partial<User>, Partial<User>][] = [
    ['active=true', {}, { state: 'blocked' }],
    ['blocked=true', { state: 'blocked' }, {}],
    ['external=true', { external: true }, {}],
    ['humans=true', {}, { userType: 'project_bot' }],
    ['admins=true', { admin: true }, {}],
    ['exclude_active=true', { state: 'deactivated' }, {}],
    ['exclude_external=true', {}, { external: true }],
    ['exclude_humans=true', { userType: 'project_bot' }, {}],
    ['exclude_internal=true', {}, { userType: 'internal' }],
    ['without_project_bots=true', {}, { userType: 'project_bot' }],
  ];

  it.each(filterCases)('%s keeps only who fits', async (query, fits, differs) => {
    const name = unique('filtered');
    const kept = await makeUser(app, { name, ...fits });
    const other = await makeUser(app, { name, ...differs });
    const filtered = await reader.api.get(`/users?search=${name}&${query}`).expect(200);
    const off = await reader.api.get(`/users?search=${name}&${query.replace('true', 'false')}`);
    expect(ids(filtered)).toEqual([kept.id]);
    expect(ids(off)).toEqual([other.id, kept.id]);
  });

  it('search finds parts of names, whole public addresses, and takes wildcards literally', async () => {
    const mark = unique('needle');
    const user = await makeUser(app, {
      name: `A ${mark}_B`,
      publicEmail: `${mark}@public.example`,
    });
    const search = async (text: string): Promise<number[]> =>
      ids(await reader.api.get(`/users?search=${encodeURIComponent(text)}`).expect(200));
    expect(await search(mark.toUpperCase())).toEqual([user.id]);
    expect(await search(`${mark}@PUBLIC.example`)).toEqual([user.id]);
    expect(await search(`${mark}%B`)).toEqual([]);
  });

  it('search finds private addresses for administrators only', async () => {
    const user = await makeUser(app, { email: `${unique('private')}@example.com`, name: 'X' });
    const path = `/users?search=${user.email}`;
    expect(ids(await reader.api.get(path))).toEqual([]);
    expect(ids(await admin.api.get(path))).toEqual([user.id]);
  });
});

describe("the administrators' filters of GET /users", () => {
  it('limit and order by time of creation', async () => {
    const name = unique('dated');
    const made = await Promise.all(
      ['2020-01-01', '2021-01-01', '2022-01-01'].map((day) =>
        makeUser(app, { name, createdAt: new Date(`${day}T00:00:00Z`) }),
      ),
    );
    const path = `/users?search=${name}&order_by=created_at&sort=asc&created_after=2020-06-01T00:00:00Z`;
    expect(ids(await admin.api.get(path))).toEqual([made[1]?.id, made[2]?.id]);
    expect(ids(await admin.api.get(`${path}&created_before=2021-06-01`))).toEqual([made[1]?.id]);
  });

  it('are dropped for others', async () => {
    const name = unique('dropped');
    const user = await makeUser(app, { name, createdAt: new Date('2020-01-01T00:00:00Z') });
    const path = `/users?search=${name}&created_after=2021-01-01&two_factor=enabled`;
    expect(ids(await reader.api.get(path))).toEqual([user.id]);
    expect(ids(await admin.api.get(path))).toEqual([]);
  });

  it('without_projects leaves out members and owners of projects', async () => {
    const name = unique('without');
    const [without, owner] = [await makeUser(app, { name }), await makeUser(app, { name })];
    await app.dataSource.query(
      `INSERT INTO projects (namespace_id, name, path, repository_storage)
       VALUES ($1, 'p', 'p', 'default')`,
      [owner.namespaceId],
    );
    const response = await admin.api.get(`/users?search=${name}&without_projects=true`);
    expect(ids(response)).toEqual([without.id]);
  });

  it('without_projects leaves out members of groups with projects below', async () => {
    const days = ['2090-01-01', '2090-02-01', '2090-01-01', '2090-01-01', '2090-01-01'];
    const made = await Promise.all(
      days.map((day) => makeUser(app, { createdAt: new Date(`${day}T00:00:00Z`) })),
    );
    const [without, direct, above, beside, owner] = made as Five<
      Awaited<ReturnType<typeof makeUser>>
    >;
    const top = await makeGroup(app);
    const middle = await makeGroup(app, { parentId: top.id });
    const below = await makeGroup(app, { parentId: middle.id });
    const empty = await makeGroup(app, { parentId: top.id });
    const project = await makeProject(app, { namespaceId: below.id });
    await makeProject(app, { namespaceId: owner.namespaceId });
    await makeMember(app, { project, user: direct, role: 'guest' });
    await makeMember(app, { group: top, user: above, role: 'guest' });
    await makeMember(app, { group: empty, user: beside, role: 'guest' });
    const path = '/users?without_projects=true&created_after=2089-01-01';
    const response = await admin.api.get(`${path}&sort=asc`).expect(200);
    expect(ids(response)).toEqual([without.id, beside.id].toSorted((one, other) => one - other));
    expect(response.headers).toMatchObject({ 'x-total': '2' });
    const february = 'created_after=2090-01-31&created_before=2090-02-02';
    expect(ids(await admin.api.get(`/users?${february}`))).toEqual([direct.id]);
    expect(ids(await admin.api.get(`/users?${february}&without_projects=true`))).toEqual([]);
  });

  it('keep identities of other providers to administrators', async () => {
    const path = '/users?extern_uid=1&provider=ldap';
    await reader.api.get(path).expect(403);
    expect(ids(await admin.api.get(path).expect(200))).toEqual([]);
  });
});
