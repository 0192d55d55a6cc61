import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';

const XSS = '<img src=x onerror=alert(1)>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Place {
  kind: 'group' | 'project';
  pages: PageClient;
  /** Address of the page of members. */
  path: string;
  source: { group: { id: number } } | { project: { id: number } };
}

async function makePlace(kind: Place['kind']): Promise<Place & { ownerId: number }> {
  const { pages, user } = await makeVisitor(app);
  const group = await makeOwnedGroup(app, { user });
  const ownerId = user.id;
  if (kind === 'group') {
    const path = `/groups/${group.fullPath}/-/group_members`;
    return { kind, pages, path, source: { group }, ownerId };
  }
  const project = await makeProject(app, { namespaceId: group.id });
  const path = `/${project.fullPath}/-/project_members`;
  return { kind, pages, path, source: { project }, ownerId };
}

async function membershipOf(source: Place['source'], userId: number): Promise<object | undefined> {
  const [column, id] =
    'group' in source ? ['namespace_id', source.group.id] : ['project_id', source.project.id];
  const rows = await app.dataSource.query<object[]>(
    `SELECT access_level AS level, expires_at AS "expiresAt" FROM members
     WHERE ${column} = $1 AND user_id = $2`,
    [id, userId],
  );
  return rows[0];
}

describe.each(['group', 'project'] as const)('members of a %s', (kind) => {
  it('are added by name, changed and removed', async () => {
    const { pages, path, source } = await makePlace(kind);
    const user = await makeUser(app);
    const added = { username: user.username, access_level: '30', expires_at: '' };
    const { headers } = await pages.post(path, added).expect(303);
    expect(headers['location']).toBe(path);
    expect(await membershipOf(source, user.id)).toEqual({ level: 30, expiresAt: null });
    expect(textOf((await pages.get(path).expect(200)).text)).toContain(user.name);
    const change = { access_level: '20', expires_at: '2999-01-01' };
    await pages.post(`${path}/${user.id}`, change).expect(303);
    expect(await membershipOf(source, user.id)).toEqual({ level: 20, expiresAt: '2999-01-01' });
    await pages.post(`${path}/${user.id}/remove`).expect(303);
    expect(await membershipOf(source, user.id)).toBeUndefined();
  });

  it('are found by an address that they show, never by a private one', async () => {
    const { pages, path, source } = await makePlace(kind);
    const user = await makeUser(app, { publicEmail: `open${Date.now()}${kind}@example.com` });
    const hidden = await pages.post(path, { username: user.email, access_level: '30' }).expect(422);
    expect(textOf(hidden.text)).toContain('User not found.');
    const [{ email = '' } = {}] = await app.dataSource.query<{ email: string }[]>(
      'SELECT public_email AS email FROM users WHERE id = $1',
      [user.id],
    );
    await pages.post(path, { username: email, access_level: '30' }).expect(303);
    expect(await membershipOf(source, user.id)).toEqual({ level: 30, expiresAt: null });
  });

  it('are shown with what is wrong with a new one', async () => {
    const { pages, path } = await makePlace(kind);
    const user = await makeUser(app);
    const blank = await pages.post(path, { username: '', access_level: '30' }).expect(422);
    expect(textOf(blank.text)).toContain('Username is missing.');
    const past = { username: user.username, access_level: '30', expires_at: '2001-01-01' };
    const { text } = await pages.post(path, past).expect(422);
    expect(textOf(text)).toContain('Expires at cannot be a date in the past.');
    expect(text).toContain(`value="${user.username}"`);
    const level = await pages.post(path, { ...past, access_level: '31' }).expect(422);
    expect(textOf(level.text)).toContain('Access level does not have a valid value.');
  });

  it('are not managed by who only takes part', async () => {
    const { path, source } = await makePlace(kind);
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { ...source, user, role: 'developer' });
    const other = await makeUser(app);
    await makeMember(app, { ...source, user: other, role: 'guest' });
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain('name="username"');
    expect(textOf(text)).not.toContain('Remove member');
    await pages.post(path, { username: other.username, access_level: '10' }).expect(404);
    await pages.post(`${path}/${other.id}`, { access_level: '20' }).expect(404);
    await pages.post(`${path}/${other.id}/remove`).expect(404);
    expect(await membershipOf(source, other.id)).toEqual({ level: 10, expiresAt: null });
  });

  it('may leave', async () => {
    const { path, source } = await makePlace(kind);
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { ...source, user, role: 'guest' });
    expect(textOf((await pages.get(path)).text)).toContain(`Leave ${kind}`);
    const { headers } = await pages.post(`${path}/${user.id}/remove`).expect(303);
    expect(headers['location']).toBe(`/dashboard/${kind}s`);
    expect(await membershipOf(source, user.id)).toBeUndefined();
    await pages.get(path).expect(404);
  });

  it('have their names escaped', async () => {
    const { pages, path, source } = await makePlace(kind);
    const user = await makeUser(app, { name: XSS });
    await makeMember(app, { ...source, user, role: 'guest' });
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toContain(XSS);
  });

  it('do not change by a form without its token', async () => {
    const { pages, path, source, ownerId } = await makePlace(kind);
    const user = await makeUser(app);
    await makeMember(app, { ...source, user, role: 'guest' });
    for (const address of [path, `${path}/${user.id}`, `${path}/${user.id}/remove`]) {
      await request(app.url)
        .post(address)
        .set('Cookie', `_svc_session=${pages.cookie}`)
        .type('form')
        .send({ username: 'x', access_level: '50' })
        .expect(422);
    }
    expect(await membershipOf(source, user.id)).toEqual({ level: 10, expiresAt: null });
    expect(ownerId).not.toBe(user.id);
  });
});

describe('the last owner of a group', () => {
  it('learns why they cannot leave', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user });
    const path = `/groups/${group.fullPath}/-/group_members`;
    const { headers } = await pages.post(`${path}/${user.id}/remove`).expect(303);
    expect(headers['location']).toBe(path);
    expect(await membershipOf({ group }, user.id)).toEqual({ level: 50, expiresAt: null });
  });
});

describe('members of the groups above', () => {
  it('are listed with their group, and can be left out or searched', async () => {
    const { pages, user } = await makeVisitor(app);
    const above = await makeOwnedGroup(app, { user });
    const group = await makeGroup(app, { parentId: above.id });
    const path = `/groups/${group.fullPath}/-/group_members`;
    const direct = await pages.get(`${path}?inherited=false`).expect(200);
    expect(textOf(direct.text)).toContain('No direct members');
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toContain(user.name);
    expect(text).toContain(`<a href="/groups/${above.fullPath}">${above.name}</a>`);
    expect(text).not.toContain(`${path}/${user.id}`);
    const nobody = await pages.get(`${path}?search=nobody-like-this`).expect(200);
    expect(textOf(nobody.text)).not.toContain(user.name);
  });

  it("cannot be raised above the maintainer's own role", async () => {
    const owner = await makeVisitor(app);
    const group = await makeOwnedGroup(app, owner);
    const project = await makeProject(app, { namespaceId: group.id });
    const maintainer = await makeUser(app);
    await makeMember(app, { project, user: maintainer, role: 'maintainer' });
    const other = await makeUser(app);
    const pages = await signedIn(app, maintainer);
    const path = `/${project.fullPath}/-/project_members`;
    const { text } = await pages
      .post(path, { username: other.username, access_level: '50' })
      .expect(422);
    expect(textOf(text)).toContain("You can't assign a role higher than your own");
    expect(text).not.toContain('<option value="50"');
  });
});

describe.each(['group', 'project'] as const)('access to a %s', (kind) => {
  async function makeOpenPlace(): Promise<{ owner: PageClient; home: string; members: string }> {
    const { pages: owner, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user }, { visibility: 'public' });
    if (kind === 'group') {
      const home = `/groups/${group.fullPath}`;
      return { owner, home, members: `${home}/-/group_members` };
    }
    const project = await makeProject(app, { namespaceId: group.id, visibility: 'public' });
    const home = `/${project.fullPath}`;
    return { owner, home, members: `${home}/-/project_members` };
  }

  it('is requested by a button, approved with a role, and withdrawn', async () => {
    const { owner, home, members } = await makeOpenPlace();
    const { pages, user } = await makeVisitor(app);
    expect(textOf((await pages.get(home).expect(200)).text)).toContain('Request access');
    await pages.post(`${members}/access_requests`).expect(303).expect('Location', home);
    expect(textOf((await pages.get(home)).text)).toContain('Withdraw request');
    await pages.post(`${members}/access_requests/withdraw`).expect(303);
    expect(textOf((await pages.get(home)).text)).toContain('Request access');
    await pages.post(`${members}/access_requests`).expect(303);
    const list = await owner.get(members).expect(200);
    expect(textOf(list.text)).toContain(`Access requests (1)`);
    const path = `${members}/access_requests/${user.id}`;
    await owner.post(`${path}/approve`, { access_level: '20' }).expect(303);
    expect(textOf((await owner.get(members)).text)).not.toContain('Access requests');
    expect(textOf((await pages.get(home)).text)).not.toContain('Request access');
  });

  it('is decided by nobody but those who manage members', async () => {
    const { owner, home, members } = await makeOpenPlace();
    const { pages, user } = await makeVisitor(app);
    await pages.post(`${members}/access_requests`).expect(303);
    const path = `${members}/access_requests/${user.id}`;
    await pages.post(`${path}/approve`, { access_level: '50' }).expect(404);
    await pages.post(`${path}/deny`).expect(404);
    expect(textOf((await pages.get(members)).text)).not.toContain('Access requests');
    await owner.post(`${path}/deny`).expect(303);
    await owner.post(`${path}/deny`).expect(404);
    expect(textOf((await pages.get(home)).text)).toContain('Request access');
    const anonymous = await request(app.url).get(home).expect(200);
    expect(textOf(anonymous.text)).not.toContain('Request access');
    expect(textOf((await owner.get(home)).text)).not.toContain('Request access');
  });
});
