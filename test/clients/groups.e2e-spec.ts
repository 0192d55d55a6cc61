import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, unique } from '../support/factories.js';
import { makeGroup } from '../support/project-factories.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

let app: OwnTestApp;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  client = clientOf(app, await makeAdmin(app));
});
afterAll(() => app.close());

describe('groups', () => {
  it('go without mails when their owner says so', async () => {
    const { id } = await client.Groups.create('Silent', unique('group-'), { emailsDisabled: true });
    expect(await client.Groups.show(id)).toMatchObject({ emails_disabled: true });
    const edited = await client.Groups.edit(id, { emailsDisabled: false });
    expect(edited).toMatchObject({ emails_disabled: false, emails_enabled: true });
  });

  it('are created, shown by path, changed, searched and removed', async () => {
    const path = unique('group-');
    const created = await client.Groups.create('Tools (new)', path, { visibility: 'internal' });
    expect(created).toMatchObject({ name: 'Tools (new)', full_path: path, parent_id: null });
    const edited = await client.Groups.edit(created.id, { description: 'All our tools' });
    expect(edited).toMatchObject({ description: 'All our tools', visibility: 'internal' });
    expect(await client.Groups.show(path)).toMatchObject({ id: created.id });
    expect(idsOf(await client.Groups.search(path))).toEqual([created.id]);
    await client.Groups.remove(created.id);
    expect(await refusalOf(client.Groups.show(created.id))).toEqual({
      status: 404,
      description: '404 Group Not Found',
    });
  });

  it('have subgroups and projects that are found by the path with slashes', async () => {
    const parent = await client.Groups.create(unique('Parent '), unique('parent-'));
    const child = await client.Groups.create('Child', 'child', { parentId: parent.id });
    expect(child).toMatchObject({ full_path: `${parent.full_path}/child` });
    const project = await client.Projects.create({ name: 'lathe', namespaceId: child.id });
    expect(idsOf(await client.Groups.allSubgroups(parent.full_path))).toEqual([child.id]);
    expect(idsOf(await client.Groups.allProjects(child.full_path))).toEqual([project.id]);
    const below = await client.Groups.allProjects(parent.id, { includeSubgroups: true });
    expect(idsOf(below)).toEqual([project.id]);
  });

  it('go below another group and back to the top', async () => {
    const [home, guest] = await Promise.all([
      client.Groups.create(unique('Home '), unique('home-')),
      client.Groups.create(unique('Guest '), unique('guest-')),
    ]);
    await client.Groups.transfer(guest.id, { groupId: home.id });
    expect(await client.Groups.show(guest.id)).toMatchObject({ parent_id: home.id });
    await client.Groups.transfer(guest.id);
    expect(await client.Groups.show(guest.id)).toMatchObject({ parent_id: null });
  });

  it('are walked through by key without signing in', async () => {
    const mark = unique('keyed');
    const made = [];
    for (const n of [1, 2, 3, 4, 5]) {
      made.push(await makeGroup(app, { name: `${mark} ${n}`, visibility: 'public' }));
    }
    const nobody = new Gitlab({ host: app.url, token: '' });
    const seen = await nobody.Groups.all({
      search: mark,
      pagination: 'keyset',
      orderBy: 'name',
      sort: 'asc',
      perPage: 2,
    });
    expect(idsOf(seen)).toEqual(idsOf(made));
  });

  it('are namespaces like users are', async () => {
    const { user, token } = await makeActor(app);
    const own = clientOf(app, { token });
    const group = await own.Groups.create(unique('Group '), unique('group-'));
    const namespaces = await own.Namespaces.all();
    expect(new Set(namespaces.map(({ kind, full_path: path }) => `${kind} ${path}`))).toEqual(
      new Set([`user ${user.username}`, `group ${group.full_path}`]),
    );
    expect(await own.Namespaces.show(group.full_path)).toMatchObject({ id: group.id });
  });
});

describe('members of a group', () => {
  it('are added, seen from below, changed and removed', async () => {
    const group = await client.Groups.create(unique('Group '), unique('group-'));
    const project = await client.Projects.create({ name: 'lathe', namespaceId: group.id });
    const user = await makeUser(app);
    const added = await client.GroupMembers.add(group.id, 30, {
      userId: user.id,
      expiresAt: '2099-12-31',
    });
    expect(added).toMatchObject({
      id: user.id,
      username: user.username,
      access_level: 30,
      expires_at: '2099-12-31',
    });
    expect(idsOf(await client.GroupMembers.all(group.id))).toContain(user.id);
    expect(idsOf(await client.ProjectMembers.all(project.id))).toEqual([]);
    const inherited = await client.ProjectMembers.all(project.id, { includeInherited: true });
    expect(idsOf(inherited)).toContain(user.id);
    await client.GroupMembers.edit(group.id, user.id, 40);
    const seen = await client.ProjectMembers.show(project.id, user.id, { includeInherited: true });
    expect(seen).toMatchObject({ access_level: 40 });
    await client.GroupMembers.remove(group.id, user.id);
    expect((await refusalOf(client.GroupMembers.show(group.id, user.id))).status).toBe(404);
  });
});
