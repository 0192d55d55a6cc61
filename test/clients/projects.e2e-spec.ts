import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import { makeProject } from '../support/project-factories.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

let app: OwnTestApp;
let admin: MadeActor;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeAdmin(app);
  client = clientOf(app, admin);
});
afterAll(() => app.close());

/** IDs of public projects with a common word in their names, the oldest first. */
async function makeProjects(mark: string, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const { namespaceId } = admin.user;
    ids.push(
      (await makeProject(app, { namespaceId, name: `${mark} ${n}`, visibility: 'public' })).id,
    );
  }
  return ids;
}

describe('projects', () => {
  it('are created, shown by path, changed and listed', async () => {
    const group = await client.Groups.create(unique('Group '), unique('group-'));
    const name = unique('project-');
    const created = await client.Projects.create({
      name,
      namespaceId: group.id,
      description: 'First',
      visibility: 'private',
      initializeWithReadme: true,
    });
    expect(created).toMatchObject({ path_with_namespace: `${group.full_path}/${name}` });
    await client.Projects.edit(created.id, { description: 'Changed' });
    const shown = await client.Projects.show(`${group.full_path}/${name}`);
    expect(shown).toMatchObject({
      id: created.id,
      description: 'Changed',
      default_branch: 'main',
      empty_repo: false,
    });
    expect(idsOf(await client.Projects.search(name))).toEqual([created.id]);
  });

  it('go without mails when their owner says so', async () => {
    const { id } = await client.Projects.create({ name: unique('silent-') });
    const edited = await client.Projects.edit(id, { emailsDisabled: true });
    expect(edited).toMatchObject({ emails_disabled: true, emails_enabled: false });
  });

  it('are created for another user by an administrator', async () => {
    const user = await makeUser(app);
    const created = await client.Projects.create({ userId: user.id, name: unique('gift-') });
    expect(created.namespace).toMatchObject({ kind: 'user', full_path: user.username });
  });

  it('are archived, woken, transferred and removed', async () => {
    const group = await client.Groups.create(unique('Group '), unique('group-'));
    const { id, path } = await client.Projects.create({ name: unique('project-') });
    expect(await client.Projects.archive(id)).toMatchObject({ archived: true });
    expect(await client.Projects.unarchive(id)).toMatchObject({ archived: false });
    const moved = await client.Projects.transfer(id, group.id);
    expect(moved).toMatchObject({ path_with_namespace: `${group.full_path}/${String(path)}` });
    await client.Projects.remove(id);
    expect(await refusalOf(client.Projects.show(id))).toEqual({
      status: 404,
      description: '404 Project Not Found',
    });
  });

  it('are walked through by number of page, with the figures of the pages', async () => {
    const mark = unique('paged');
    const made = await makeProjects(mark, 5);
    const query = { search: mark, orderBy: 'id', sort: 'asc', perPage: 2 } as const;
    expect(idsOf(await client.Projects.all(query))).toEqual(made);
    const last = await client.Projects.all({
      ...query,
      pagination: 'offset',
      page: 3,
      showExpanded: true,
    });
    expect(idsOf(last.data)).toEqual(made.slice(4));
    expect(last.paginationInfo).toMatchObject({ total: 5, current: 3, next: null, totalPages: 3 });
    const two = await client.Projects.all({ ...query, maxPages: 2 });
    expect(idsOf(two)).toEqual(made.slice(0, 4));
  });

  it.each(['asc', 'desc'] as const)('are walked through by key to the end, %s', async (sort) => {
    const mark = unique('keyed');
    const made = await makeProjects(mark, 5);
    const query = { pagination: 'keyset', orderBy: 'id', sort, perPage: 2, search: mark } as const;
    const expected = sort === 'asc' ? made : made.toReversed();
    expect(idsOf(await client.Projects.all(query))).toEqual(expected);
    const nobody = new Gitlab({ host: app.url, token: '' });
    expect(idsOf(await nobody.Projects.all(query))).toEqual(expected);
  });

  it('are answered in the names of the application when it wants them so', async () => {
    const [id = 0] = await makeProjects(unique('camel'), 1);
    const camel = new Gitlab({ host: app.url, token: admin.token, camelize: true });
    expect(await camel.Projects.show(id)).toMatchObject({
      id,
      pathWithNamespace: expect.any(String),
      namespace: { fullPath: admin.user.username },
    });
  });

  it('tell the application why they cannot be created', async () => {
    const own = clientOf(app, await makeActor(app));
    const name = unique('project-');
    await own.Projects.create({ name });
    const { status, description } = await refusalOf(own.Projects.create({ name }));
    expect(status).toBe(400);
    expect(JSON.parse(description)).toMatchObject({ name: ['has already been taken'] });
    expect(
      await refusalOf(own.Projects.create({ name: unique('x'), namespaceId: 999_999_999 })),
    ).toMatchObject({ status: 400 });
  });
});

describe('members of a project', () => {
  it('are added by id or name, changed and removed', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const [byId, byName] = await Promise.all([makeUser(app), makeUser(app)]);
    await client.ProjectMembers.add(project.id, 30, { userId: byId.id });
    await client.ProjectMembers.add(project.id, 20, { username: byName.username });
    await client.ProjectMembers.edit(project.id, byId.id, 40);
    expect(await client.ProjectMembers.show(project.id, byId.id)).toMatchObject({
      access_level: 40,
    });
    const found = await client.ProjectMembers.all(project.id, { query: byName.username });
    expect(found).toMatchObject([{ id: byName.id, access_level: 20 }]);
    await client.ProjectMembers.remove(project.id, byId.id);
    expect(await refusalOf(client.ProjectMembers.show(project.id, byId.id))).toEqual({
      status: 404,
      description: '404 Not found',
    });
  });
});
