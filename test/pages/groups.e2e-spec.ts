import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';

const XSS = '<script>alert("x")</script>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const FIELDS = { description: 'For looms', visibility: 'internal', request_access_enabled: 'true' };

describe('new groups', () => {
  it('are made by a form and belong to who made them', async () => {
    const { pages, user } = await makeVisitor(app);
    const path = unique('weavers');
    expect((await pages.get('/groups/new').expect(200)).text).toContain('name="path"');
    const { headers } = await pages
      .post('/groups/new', { ...FIELDS, name: 'Weavers', path })
      .expect(303);
    expect(headers['location']).toBe(`/groups/${path}`);
    const { text } = await pages.get(`/groups/${path}/-/group_members`).expect(200);
    expect(textOf(text)).toContain(user.name);
    const rows = await app.dataSource.query<object[]>(
      'SELECT description, visibility FROM groups g JOIN namespaces n USING (id) WHERE path = $1',
      [path],
    );
    expect(rows).toEqual([{ description: 'For looms', visibility: 10 }]);
  });

  it('are made below a group by its owner', async () => {
    const { pages, user } = await makeVisitor(app);
    const parent = await makeOwnedGroup(app, { user });
    const { text } = await pages.get(`/groups/new?parent_id=${parent.id}`).expect(200);
    expect(textOf(text)).toContain(`New subgroup of ${parent.name}`);
    const fields = { name: 'Inner', path: 'inner', visibility: 'private' };
    const { headers } = await pages
      .post('/groups/new', { ...fields, parent_id: String(parent.id) })
      .expect(303);
    expect(headers['location']).toBe(`/groups/${parent.fullPath}/inner`);
    const { text: list } = await pages.get(`/groups/${parent.fullPath}/-/subgroups`).expect(200);
    expect(textOf(list)).toContain(`${parent.name} / Inner`);
  });

  it('show what is wrong at the fields, with what was typed in', async () => {
    const { pages } = await makeVisitor(app);
    const taken = await makeGroup(app);
    const sent = { ...FIELDS, name: XSS, path: taken.path };
    const { text } = await pages.post('/groups/new', sent).expect(422);
    expect(text).toContain('href="#field-name"');
    expect(text).not.toContain(XSS);
    const { text: other } = await pages
      .post('/groups/new', { ...FIELDS, name: 'Fine', path: taken.path })
      .expect(422);
    expect(textOf(other)).toContain('Path has already been taken.');
    expect(other).toContain('value="Fine"');
    const { text: blank } = await pages
      .post('/groups/new', { ...FIELDS, name: ' ', path: '' })
      .expect(422);
    expect(textOf(blank)).toContain('Name is missing.');
  });

  it('are refused below a group of others', async () => {
    const { pages } = await makeVisitor(app);
    const hidden = await makeGroup(app);
    const open = await makeGroup(app, { visibility: 'public' });
    await pages.get(`/groups/new?parent_id=${hidden.id}`).expect(404);
    await pages.get(`/groups/new?parent_id=${open.id}`).expect(403);
  });
});

describe('the list of groups', () => {
  it('has those of the viewer only, and can be searched and turned over', async () => {
    const { pages, user } = await makeVisitor(app);
    expect(textOf((await pages.get('/dashboard/groups')).text)).toContain('not a member of any');
    const mine = await makeOwnedGroup(app, { user }, { name: 'Aardvark' });
    await makeOwnedGroup(app, { user }, { name: 'Buffalo' });
    const other = await makeGroup(app, { visibility: 'public', name: 'Camel' });
    const all = textOf((await pages.get('/dashboard/groups').expect(200)).text);
    expect(all).toContain('Aardvark');
    expect(all).not.toContain(other.name);
    const found = textOf((await pages.get('/dashboard/groups?search=ardv')).text);
    expect([found.includes(mine.name), found.includes('Buffalo')]).toEqual([true, false]);
    const { text } = await pages.get('/dashboard/groups?per_page=1&sort=name').expect(200);
    expect(text).toContain('/dashboard/groups?sort=name&amp;page=2');
  });
});

describe('a group', () => {
  it('shows its projects to who may see them, and buttons to who may use them', async () => {
    const owner = await makeVisitor(app);
    const group = await makeOwnedGroup(app, owner, { visibility: 'public' });
    const open = await makeProject(app, { namespaceId: group.id, visibility: 'public' });
    const hidden = await makeProject(app, { namespaceId: group.id });
    const { text } = await owner.pages.get(`/groups/${group.fullPath}`).expect(200);
    expect(textOf(text)).toContain(hidden.name);
    expect(text).toContain(`/projects/new?namespace_id=${group.id}`);
    const strangers = await request(app.url).get(`/groups/${group.fullPath}`).expect(200);
    expect(textOf(strangers.text)).toContain(open.name);
    expect(textOf(strangers.text)).not.toContain(hidden.name);
    expect(strangers.text).not.toContain('/projects/new');
    expect(strangers.text).not.toContain('/-/edit');
  });

  it('shows the tree of its subgroups and projects, each where the viewer can see it', async () => {
    const owner = await makeVisitor(app);
    const group = await makeOwnedGroup(app, owner);
    const sub = await makeGroup(app, { parentId: group.id });
    const deep = await makeGroup(app, { parentId: sub.id });
    const project = await makeProject(app, { namespaceId: deep.id });
    const { text } = await owner.pages.get(`/groups/${group.fullPath}`).expect(200);
    for (const path of [`/groups/${sub.fullPath}`, `/groups/${deep.fullPath}`]) {
      expect(text).toContain(`href="${path}"`);
    }
    expect(text).toContain(`href="/${project.fullPath}"`);
    expect(text.match(/<details open>/g)).toHaveLength(2);
    expect(textOf(text)).not.toContain('yet');
    const list = await owner.pages.get(`/groups/${group.fullPath}/-/projects`).expect(200);
    expect(list.text).toContain(`href="/${project.fullPath}"`);
  });

  it('shows what is below invisible subgroups beside them', async () => {
    const group = await makeGroup(app, { visibility: 'public' });
    const hidden = await makeGroup(app, { parentId: group.id });
    const deep = await makeGroup(app, { parentId: hidden.id });
    const project = await makeProject(app, { namespaceId: hidden.id });
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { group: deep, user, role: 'guest' });
    const { text } = await pages.get(`/groups/${group.fullPath}`).expect(200);
    expect(text).toContain(`href="/groups/${deep.fullPath}"`);
    expect(text).not.toContain(`href="/groups/${hidden.fullPath}"`);
    expect(text).not.toContain(`href="/${project.fullPath}"`);
  });

  it('leads from its short address to its page', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user });
    const sub = await makeGroup(app, { parentId: group.id });
    for (const { fullPath } of [group, sub]) {
      const { headers } = await pages.get(`/${fullPath}`);
      expect(headers['location']).toBe(`/groups/${fullPath}`);
      await request(app.url).get(`/${fullPath}`).expect(404);
    }
  });

  it('does not exist for who may not see it', async () => {
    const group = await makeGroup(app);
    const { pages } = await makeVisitor(app);
    await pages.get(`/groups/${group.fullPath}`).expect(404);
    await pages.get(`/groups/${group.fullPath}/-/group_members`).expect(404);
    await request(app.url).get(`/groups/${group.fullPath}`).expect(404);
  });

  it('escapes its name and description', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user }, { name: XSS, description: XSS });
    const { text } = await pages.get(`/groups/${group.fullPath}`).expect(200);
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toContain(XSS);
  });
});

describe('the settings of a group', () => {
  it('change it, and its former address leads on', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user });
    const path = unique('renamed');
    const { headers } = await pages
      .post(`/groups/${group.fullPath}/-/edit`, { ...FIELDS, name: 'Renamed', path })
      .expect(303);
    expect(headers['location']).toBe(`/groups/${path}/-/edit`);
    const old = await pages.get(`/groups/${group.fullPath}/-/group_members?x=1`).expect(302);
    expect(old.headers['location']).toBe(`/groups/${path}/-/group_members?x=1`);
    const encoded = `%${group.path.charCodeAt(0).toString(16)}${group.path.slice(1)}`;
    const other = await pages.get(`/groups/${encoded}?y=1?2`).expect(302);
    expect(other.headers['location']).toBe(`/groups/${path}?y=1?2`);
    await pages.post(`/groups/${group.fullPath}/-/edit`, FIELDS).expect(404);
    const { text } = await pages.get(`/groups/${path}/-/edit`).expect(200);
    expect(text).toContain('value="Renamed"');
  });

  it('show what is wrong', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user }, { visibility: 'public' });
    await makeProject(app, { namespaceId: group.id, visibility: 'public' });
    const fields = { ...FIELDS, name: group.name, path: group.path, visibility: 'private' };
    const { text } = await pages.post(`/groups/${group.fullPath}/-/edit`, fields).expect(422);
    expect(textOf(text)).toContain('private is not allowed since this group contains projects');
  });

  it('are nothing for those who do not own the group', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeGroup(app, { visibility: 'public' });
    await makeMember(app, { group, user, role: 'maintainer' });
    await pages.get(`/groups/${group.fullPath}/-/edit`).expect(404);
    await pages.post(`/groups/${group.fullPath}/-/edit`, { name: 'x', path: 'x' }).expect(404);
    await pages.post(`/groups/${group.fullPath}/-/delete`).expect(404);
  });

  it('delete it after a question', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user });
    const { text } = await pages.get(`/groups/${group.fullPath}/-/edit`).expect(200);
    expect(textOf(text)).toContain('This permanently deletes');
    const refused = await pages.post(`/groups/${group.fullPath}/-/delete`).expect(422);
    expect(textOf(refused.text)).toContain(`Enter ${group.fullPath} to confirm.`);
    const confirmed = { confirmed_path: group.fullPath };
    await pages.post(`/groups/${group.fullPath}/-/delete`, confirmed).expect(303);
    await pages.get(`/groups/${group.fullPath}`).expect(404);
  });

  it('take no form without its token', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user });
    for (const path of ['/groups/new', `/groups/${group.fullPath}/-/delete`]) {
      await request(app.url)
        .post(path)
        .set('Cookie', `_svc_session=${pages.cookie}`)
        .type('form')
        .send({})
        .expect(422);
    }
    await pages.get(`/groups/${group.fullPath}`).expect(200);
  });
});

describe('transferring a group', () => {
  it('asks for its path, and moves it below another group or to the top level', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user });
    const parent = await makeOwnedGroup(app, { user });
    const base = `/groups/${group.fullPath}/-`;
    const { text } = await pages.get(`${base}/edit`).expect(200);
    expect(text).toContain(`<option value="${parent.fullPath}">`);
    expect(text).not.toContain(`<option value="${group.fullPath}">`);
    await pages.post(`${base}/transfer`, { location: parent.fullPath }).expect(303);
    await pages.get(`/groups/${group.fullPath}`).expect(200);
    const form = { location: parent.fullPath, confirmed_path: group.fullPath };
    const moved = `/groups/${parent.fullPath}/${group.path}`;
    await pages.post(`${base}/transfer`, form).expect(303).expect('Location', moved);
    const back = { location: '', confirmed_path: `${parent.fullPath}/${group.path}` };
    await pages
      .post(`${moved}/-/transfer`, back)
      .expect(303)
      .expect('Location', `/groups/${group.path}`);
  });

  it('is for its owners, and only below groups that they own', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user });
    const other = await makeGroup(app, { visibility: 'public' });
    const form = { location: other.fullPath, confirmed_path: group.fullPath };
    const base = `/groups/${group.fullPath}/-`;
    await pages.post(`${base}/transfer`, form).expect(303).expect('Location', `${base}/edit`);
    await pages.get(`/groups/${group.fullPath}`).expect(200);
    await pages.post(`/groups/${other.fullPath}/-/transfer`, form).expect(404);
  });
});
