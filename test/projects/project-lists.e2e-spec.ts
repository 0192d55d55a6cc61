import { beforeAll, describe, expect, it } from '@jest/globals';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function ids(client: ApiClient, query: string): Promise<number[]> {
  const { body } = await client.get(`/projects?${query}`).expect(200);
  return (body as { id: number }[]).map(({ id }) => id);
}

/** Three public projects of one user with a common mark in their names. */
async function threeProjects(): Promise<{ owner: MadeActor; mark: string; made: number[] }> {
  const owner = await makeActor(app);
  const mark = unique('mark');
  const made: number[] = [];
  for (const letter of ['b', 'a', 'c']) {
    const { id } = await makeProject(app, {
      namespaceId: owner.user.namespaceId,
      visibility: 'public',
      path: `${mark}-${letter}`,
      name: `${mark} ${letter}`,
    });
    made.push(id);
  }
  return { owner, mark, made };
}

describe('GET /projects', () => {
  it('shows newest first, the basic form to strangers and on demand', async () => {
    const { owner, mark, made } = await threeProjects();
    const [b, a, c] = made;

    expect(await ids(owner.api, `search=${mark}`)).toEqual([c, a, b]);
    const strangers = await api(app.url).get(`/projects?search=${mark}`).expect(200);
    const simple = await owner.api.get(`/projects?search=${mark}&simple=true`).expect(200);
    const full = await owner.api.get(`/projects?search=${mark}&statistics=true`).expect(200);
    const [first] = full.body as object[];
    expect(strangers.body).toEqual(simple.body);
    expect(simple.text).not.toContain('visibility');
    expect(first).toMatchObject({ visibility: 'public', permissions: { group_access: null } });
    expect(full.text).not.toContain('repository_storage');
    const one = await owner.api.get(`/projects/${c}`).expect(200);
    expect(first).toEqual(one.body);
  });

  it('sorts by every order that has data', async () => {
    const { owner, mark, made } = await threeProjects();
    const [b, a, c] = made;
    await app.dataSource.manager.update(
      Project,
      { id: a },
      { updatedAt: new Date('2020-01-01'), lastActivityAt: new Date('2030-01-01') },
    );
    const sorted = (query: string): Promise<number[]> => ids(owner.api, `search=${mark}&${query}`);

    expect(await sorted('order_by=id')).toEqual([c, a, b]);
    expect(await sorted('order_by=id&sort=asc')).toEqual([b, a, c]);
    expect(await sorted('order_by=name&sort=asc')).toEqual([a, b, c]);
    expect(await sorted('order_by=path')).toEqual([c, b, a]);
    expect(await sorted('order_by=updated_at&sort=asc')).toEqual([a, b, c]);
    expect(await sorted('order_by=last_activity_at')).toEqual([a, c, b]);
    expect(await sorted('order_by=star_count')).toEqual([c, a, b]);
    expect(await sorted('order_by=storage_size')).toEqual([c, a, b]);
    const similar = await ids(owner.api, `search=${mark}-a&order_by=similarity`);
    expect(similar).toEqual([a]);
  });

  it('filters by what the viewer is in a project', async () => {
    const [actor, stranger] = [await makeActor(app), await makeActor(app)];
    const mark = unique('mine');
    const group = await makeGroup(app, { visibility: 'public' });
    const make = async (namespaceId: number): Promise<number> =>
      (await makeProject(app, { namespaceId, visibility: 'public', path: unique(mark) })).id;
    const own = await make(actor.user.namespaceId);
    const [direct, inherited, foreign] = [
      await make(stranger.user.namespaceId),
      await make(group.id),
      await make(stranger.user.namespaceId),
    ];
    await makeMember(app, { project: { id: direct }, user: actor.user, role: 'developer' });
    await makeMember(app, { group, user: actor.user, role: 'maintainer' });
    const found = (query: string): Promise<number[]> =>
      ids(actor.api, `search=${mark}&order_by=id&sort=asc&${query}`);

    expect(await found('')).toEqual([own, direct, inherited, foreign]);
    expect(await found('membership=true')).toEqual([own, direct, inherited]);
    expect(await found('owned=true')).toEqual([own]);
    expect(await found('min_access_level=40')).toEqual([own, inherited]);
    expect(await ids(api(app.url), `search=${mark}&membership=true`)).toEqual([]);
  });

  it('filters by attributes, ids and times', async () => {
    const { owner, mark, made } = await threeProjects();
    const [b, a, c] = made as [number, number, number];
    const old = new Date('2020-01-01');
    await app.dataSource.manager.update(
      Project,
      { id: a },
      {
        archived: true,
        issuesEnabled: false,
        mergeRequestsEnabled: false,
        topics: ['red', 'blue'],
        description: 'needle',
        lastActivityAt: old,
        updatedAt: old,
      },
    );
    const found = (query: string): Promise<number[]> =>
      ids(owner.api, `search=${mark}&order_by=id&sort=asc&${query}`);

    expect(await found('archived=true')).toEqual([a]);
    expect(await found('archived=false')).toEqual([b, c]);
    expect(await found('visibility=private')).toEqual([]);
    expect(await found('with_issues_enabled=true')).toEqual([b, c]);
    expect(await found('with_merge_requests_enabled=true')).toEqual([b, c]);
    expect(await found('topic=red,blue')).toEqual([a]);
    expect(await found('topic=red,green')).toEqual([]);
    expect(await found(`id_after=${b}`)).toEqual([a, c]);
    expect(await found(`id_before=${c}`)).toEqual([b, a]);
    expect(await found('last_activity_before=2021-01-01')).toEqual([a]);
    expect(await found('last_activity_after=2021-01-01T00:00:00Z')).toEqual([b, c]);
    const updated = `search=${mark}&order_by=updated_at&updated_before=2021-01-01`;
    expect(await ids(owner.api, updated)).toEqual([a]);
    expect(await ids(owner.api, 'search=needle')).toEqual([a]);
    for (const none of [
      'starred=true',
      'imported=true',
      'with_programming_language=ruby',
      'topic_id=1',
    ]) {
      expect(await found(none)).toEqual([]);
    }
  });

  it('searches the names of namespaces only when told to, and takes wildcards literally', async () => {
    const { owner, made } = await threeProjects();
    const { username } = owner.user;

    expect(await ids(owner.api, `search=${username}`)).toEqual([]);
    expect(await ids(owner.api, `search=${username}&search_namespaces=true`)).toHaveLength(
      made.length,
    );
    expect(await ids(owner.api, 'search=%25')).toEqual([]);
  });

  it('finds parts of full paths and full names, also across their separators', async () => {
    const [owner, stranger] = [await makeActor(app), await makeActor(app)];
    const mark = unique('q');
    const top = await makeOwnedGroup(app, owner, { path: `a-${mark}-top`, name: `Shop ${mark}` });
    const below = await makeGroup(app, { path: 'below', name: 'Cellar', parentId: top.id });
    const { id } = await makeProject(app, { namespaceId: below.id, path: 'wine', name: 'Wine' });
    const parts = [
      ...[`${mark}-top`, `${mark}-TOP/below`, `${mark}-top/below/wi`, `hop ${mark}`],
      ...[`${mark} / Cell`, `${mark} `, `${mark}-top&order_by=similarity`],
    ];
    for (const part of parts) {
      const query = `search=${part.replaceAll(' ', '%20')}&search_namespaces=true`;
      expect([part, await ids(owner.api, query)]).toEqual([part, [id]]);
      expect(await ids(stranger.api, query)).toEqual([]);
    }
    const none = `search=${mark}-top/wine&search_namespaces=true`;
    expect(await ids(owner.api, none)).toEqual([]);
  });

  it('filters by storage for administrators and drops the filter for others', async () => {
    const [admin, { owner, mark, made }] = [await makeAdmin(app), await threeProjects()];
    await app.dataSource.manager.update(
      Project,
      { id: made[0] },
      { repositoryStorage: 'storage2' },
    );
    const query = `search=${mark}&repository_storage=storage2`;

    const filtered = await admin.api.get(`/projects?${query}`).expect(200);

    expect(filtered.body).toMatchObject([{ id: made[0], repository_storage: 'storage2' }]);
    expect(await ids(owner.api, query)).toHaveLength(3);
    expect(await ids(admin.api, `search=${mark}&repository_storage=gone`)).toEqual([]);
  });

  it('pages by offset with all headers', async () => {
    const { owner, mark, made } = await threeProjects();
    const path = `/projects?search=${mark}&order_by=id&sort=asc&per_page=1&page=2`;

    const answer = await owner.api.get(path).expect(200);

    expect(answer.body).toMatchObject([{ id: made[1] }]);
    expect(answer.headers).toMatchObject({
      'x-total': '3',
      'x-total-pages': '3',
      'x-page': '2',
      'x-per-page': '1',
      'x-next-page': '3',
      'x-prev-page': '1',
    });
    const rels = [...String(answer.headers['link']).matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel);
    expect(rels).toEqual(['prev', 'next', 'first', 'last']);
  });

  it('pages by keyset to the end in both directions', async () => {
    const { owner, mark, made } = await threeProjects();
    for (const [sort, expected] of [
      ['asc', made],
      ['desc', made.toReversed()],
    ] as const) {
      const seen: number[] = [];
      let path = `/projects?pagination=keyset&order_by=id&sort=${sort}&per_page=2&search=${mark}`;
      for (;;) {
        const answer = await owner.api.get(path).expect(200);
        seen.push(...(answer.body as { id: number }[]).map(({ id }) => id));
        expect(answer.headers).not.toHaveProperty('x-total');
        expect(answer.headers).not.toHaveProperty('x-page');
        const link = answer.headers['link'] as string | undefined;
        if (link === undefined) break;
        expect(link).toMatch(/^<[^>]+>; rel="next"$/);
        path = link.slice(`<${app.url}/api/v4`.length, link.indexOf('>'));
      }
      expect(seen).toEqual(expected);
    }
  });

  it('answers 405 to keyset pagination by anything but the id and to pages too deep', async () => {
    const anyone = api(app.url);
    const keyset = await anyone.get('/projects?pagination=keyset&order_by=name').expect(405);
    const deep = await anyone.get('/projects?page=501&per_page=100').expect(405);

    expect(keyset.body).toEqual({
      error: 'Keyset pagination is not yet available for this type of request',
    });
    expect((deep.body as { error: string }).error).toContain('maximum allowed offset of 50000');
  });

  it.each([
    ['order_by=bogus', 'order_by does not have a valid value'],
    ['sort=up', 'sort does not have a valid value'],
    ['visibility=secret', 'visibility does not have a valid value'],
    ['archived=maybe', 'archived is invalid'],
    ['min_access_level=7', 'min_access_level does not have a valid value'],
    ['id_after=x', 'id_after is invalid'],
    ['last_activity_after=yesterday', 'last_activity_after is invalid'],
    ['page=x', 'page is invalid'],
  ])('answers 400 to %s', async (query, error) => {
    const answer = await api(app.url).get(`/projects?${query}`).expect(400);
    expect(answer.body).toMatchObject({ error });
  });

  it('filters by time of update only in that order', async () => {
    const answer = await api(app.url).get('/projects?updated_after=2020-01-01').expect(400);
    expect(answer.body).toEqual({
      message: '`updated_at` filter and `updated_at` sorting must be paired',
    });
  });

  it('answers 401 to an unknown token instead of the public list', async () => {
    await api(app.url, 'svcpat-unknown').get('/projects').expect(401);
  });
});
