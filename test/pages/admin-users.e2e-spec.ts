import { beforeAll, describe, expect, it } from '@jest/globals';
import { User } from '../../src/identity/users/user.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { follow, makeVisitor, type PageClient } from '../support/page-client.js';
import { makeGroup, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

let app: TestApp;
let pages: PageClient;
beforeAll(async () => {
  app = await sharedTestApp();
  ({ pages } = await makeVisitor(app, { admin: true }));
});

function userRow(id: number): Promise<User | null> {
  return app.dataSource.manager.findOneBy(User, { id });
}

/** The message that the page shows to which the answer leads. */
async function messageAfter(answer: { headers: Record<string, string> }): Promise<string> {
  const flash = /_svc_flash=[^;]*/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
  const cookie = `_svc_session=${pages.cookie}; ${flash}`;
  const { text } = await pages.get(answer.headers['location'] ?? '').set('Cookie', cookie);
  const alert = /<div class="alert" role="\w+" data-tone="\w+">([^<]*)</.exec(text);
  return alert?.[1] ?? '';
}

describe('GET /admin/users', () => {
  it('finds people by a part of their name and tells them apart by state', async () => {
    const name = unique('Someone ');
    const blocked = await makeUser(app, { name, state: 'blocked' });
    const all = await pages.get(`/admin/users?search=${encodeURIComponent(name)}`).expect(200);
    expect(textOf(all.text)).toContain(`${name} @${blocked.username} Blocked ${blocked.email}`);
    const pending = await pages.get(
      `/admin/users?filter=pending&search=${encodeURIComponent(name)}`,
    );
    expect(pending.text).toContain('No users match these filters');
    expect(pending.text).toContain('aria-current="page">Waiting for approval<span>');
  });

  it('shows names as text, whatever is in them', async () => {
    const name = `<script>alert(1)</script>${unique('')}`;
    const { id } = await makeUser(app, { name, note: '<img src=x onerror=alert(1)>' });
    const list = await pages.get(`/admin/users?search=${encodeURIComponent(name)}`).expect(200);
    const shown = await pages.get(`/admin/users/${id}`).expect(200);
    for (const { text } of [list, shown]) {
      expect(text).toContain('&lt;script>alert(1)&lt;/script>');
      expect(text).not.toMatch(/<script>|<img src=x/);
    }
  });

  it('turns pages and keeps what was asked for', async () => {
    const name = unique('Many ');
    for (let count = 0; count < 3; count += 1) await makeUser(app, { name });
    const query = `search=${encodeURIComponent(name)}&per_page=2`;
    const { text } = await pages.get(`/admin/users?${query}`).expect(200);
    expect(text).toContain('Page 1 of 2');
    expect(text).toMatch(
      new RegExp(`href="/admin/users\\?filter=people&amp;search=[^"]*&amp;page=2`),
    );
  });

  it('answers 400 to a filter that there is not', async () => {
    await pages.get('/admin/users?filter=ghosts').expect(400);
  });
});

describe('POST /admin/users', () => {
  it('makes a user without a password, who is to choose one', async () => {
    const username = unique('new');
    const answer = await pages
      .post('/admin/users', {
        name: 'New One',
        username,
        email: `${username}@example.com`,
        password: '',
        admin: 'false',
        external: 'true',
        can_create_group: 'false',
        projects_limit: '5',
        note: 'Made by hand',
      })
      .expect(303);
    const user = await app.dataSource.manager.findOneByOrFail(User, { username });
    expect(answer.headers['location']).toBe(`/admin/users/${user.id}`);
    expect(user).toMatchObject({
      external: true,
      admin: false,
      canCreateGroup: false,
      projectsLimit: 5,
      note: 'Made by hand',
      passwordDigest: null,
    });
    expect(await messageAfter(answer)).toBe('User created.');
  });

  it('shows the form again with what is wrong at the fields, but never the password', async () => {
    const { email } = await makeUser(app);
    const form = { name: ' ', username: 'no way', email, password: 'hunter2' };
    const { text } = await pages.post('/admin/users', form).expect(422);
    expect(text).toMatch(/<input[^>]*value="no way"[^>]*aria-invalid="true"/);
    expect(text).toContain(`<a href="#field-name">Name can't be blank.</a>`);
    expect(text).toContain('Password is too short (minimum is 8 characters).');
    expect(text).not.toContain('hunter2');
  });

  it('tells that an address is taken', async () => {
    const { email } = await makeUser(app);
    const form = { name: 'Other', username: unique('other'), email };
    const { text } = await pages.post('/admin/users', form).expect(422);
    expect(text).toContain('Email has already been taken.');
  });
});

describe('POST /admin/users/:id', () => {
  it('changes a user and leaves the password alone when none is given', async () => {
    const { id, username, email } = await makeUser(app, { passwordDigest: 'digest' });
    const form = { name: 'Renamed', username, email, password: '', admin: 'true' };
    await pages.post(`/admin/users/${id}`, form).expect(303);
    expect(await userRow(id)).toMatchObject({
      name: 'Renamed',
      admin: true,
      passwordDigest: 'digest',
    });
  });

  it('shows the form again with what was sent', async () => {
    const { id, username, email } = await makeUser(app);
    const form = { name: '', username, email: 'nowhere', job_title: 'Clerk' };
    const { text } = await pages.post(`/admin/users/${id}`, form).expect(422);
    expect(text).toContain('Email is invalid.');
    expect(text).toContain('value="Clerk"');
    expect(await userRow(id)).toMatchObject({ email, jobTitle: '' });
  });

  it('answers 404 for a user that there is not', async () => {
    await pages.post('/admin/users/999999999', { name: 'Nobody' }).expect(404);
    await pages.get('/admin/users/999999999').expect(404);
    await pages.get('/admin/users/999999999/edit').expect(404);
  });
});

describe('the buttons on the page of a user', () => {
  it.each([
    { before: 'active', action: 'block', after: 'blocked', message: 'User blocked.' },
    { before: 'blocked', action: 'unblock', after: 'active', message: 'User unblocked.' },
    { before: 'active', action: 'ban', after: 'banned', message: 'User banned.' },
    { before: 'banned', action: 'unban', after: 'active', message: 'Ban lifted.' },
    { before: 'active', action: 'deactivate', after: 'deactivated', message: 'User deactivated.' },
    { before: 'deactivated', action: 'activate', after: 'active', message: 'User activated.' },
    { before: 'pending', action: 'approve', after: 'active', message: 'User approved.' },
  ] as const)('$action users who are $before', async ({ before, action, after, message }) => {
    const { id } = await makeUser(app, { state: before });
    const { text } = await pages.get(`/admin/users/${id}`);
    expect(text).toContain(`action="/admin/users/${id}/${action}"`);
    const answer = await pages.post(`/admin/users/${id}/${action}`).expect(303);
    expect(await userRow(id)).toMatchObject({ state: after });
    expect(await messageAfter(answer)).toBe(message);
  });

  it('tell why nothing was done', async () => {
    const { id } = await makeUser(app, { lastActivityOn: new Date().toISOString().slice(0, 10) });
    const answer = await pages.post(`/admin/users/${id}/deactivate`).expect(303);
    expect(await messageAfter(answer)).toMatch(/^The user you are trying to deactivate has been/);
    expect(await userRow(id)).toMatchObject({ state: 'active' });
  });

  it('do not let administrators lock themselves out', async () => {
    const self = await makeVisitor(app, { admin: true });
    const { text } = await self.pages.get(`/admin/users/${self.user.id}`);
    expect(text).not.toContain(`/admin/users/${self.user.id}/block`);
  });

  it('unlock an account and write it into the audit log', async () => {
    const { id } = await makeUser(app, { failedAttempts: 10, lockedAt: new Date() });
    const { text } = await pages.get(`/admin/users/${id}`);
    expect(text).toContain('>Unlock<');
    await pages.post(`/admin/users/${id}/unlock`).expect(303);
    expect(await userRow(id)).toMatchObject({ failedAttempts: 0, lockedAt: null });
    const entries = await app.dataSource.query(
      `SELECT details FROM audit_events WHERE action = 'user_unlocked' AND target_id = $1`,
      [id],
    );
    expect(entries).toEqual([{ details: { failed_attempts: 10 } }]);
  });

  it('delete a user, and reject only one who waits', async () => {
    const [gone, waiting, active] = await Promise.all([
      makeUser(app),
      makeUser(app, { state: 'pending' }),
      makeUser(app),
    ]);
    const deleted = await pages.post(`/admin/users/${gone.id}/delete`).expect(303);
    expect(deleted.headers['location']).toBe('/admin/users');
    await pages.post(`/admin/users/${waiting.id}/reject`).expect(303);
    const refused = await pages.post(`/admin/users/${active.id}/reject`).expect(303);
    expect(await messageAfter(refused)).toBe('User does not have a pending request.');
    const left = await Promise.all([gone, waiting, active].map(({ id }) => userRow(id)));
    expect(left.map((user) => user?.id)).toEqual([undefined, undefined, active.id]);
  });

  it('delete what a user wrote only when that is ticked', async () => {
    const [kept, gone] = await Promise.all([makeUser(app), makeUser(app)]);
    const [keptSnippet, goneSnippet] = await Promise.all(
      [kept, gone].map(({ id }) => makeSnippet(app, { authorId: id, files: null })),
    );
    const send = ({ id }: typeof gone, form: Record<string, string>) =>
      pages.post(`/admin/users/${id}/delete`, form).expect(303);
    await send(kept, { hard_delete: 'false' });
    await send(gone, { hard_delete: 'true' });
    await pages.get(`/-/snippets/${keptSnippet?.id}`).expect(200);
    await pages.get(`/-/snippets/${goneSnippet?.id}`).expect(404);
  });

  it('answer 404 for what no button does', async () => {
    const { id } = await makeUser(app);
    await pages.post(`/admin/users/${id}/promote`).expect(404);
  });
});

describe('GET /admin/groups and /admin/projects', () => {
  it('find private ones of others by name, path and storage', async () => {
    const group = await makeGroup(app, { name: unique('Quarry ') });
    const project = await makeProject(app, { namespaceId: group.id, name: unique('Slate ') });
    const search = encodeURIComponent(group.name);
    const groups = await pages.get(`/admin/groups?search=${search}`).expect(200);
    expect(textOf(groups.text)).toContain(`${group.name} ${group.fullPath} Private 1 0 default`);
    expect(groups.text).toContain(`/groups/${group.fullPath}/-/audit_events`);
    const path = `/admin/projects?search=${encodeURIComponent(project.fullPath)}`;
    const projects = await pages.get(path).expect(200);
    expect(textOf(projects.text)).toContain(`${project.name} ${project.fullPath} Private default`);
    const none = await pages.get(`${path}&storage=nowhere`).expect(200);
    expect(textOf(none.text)).toContain('No projects match these filters');
  });
});

describe('the impersonation tokens of a user', () => {
  it('are created by administrators, shown once and revoked', async () => {
    const user = await makeUser(app);
    const path = `/admin/users/${user.id}/impersonation_tokens`;
    expect((await pages.get(`/admin/users/${user.id}`)).text).toContain(`href="${path}"`);
    const made = await pages.post(path, { name: 'Support', scopes: ['read_user'] }).expect(303);
    const shown = await follow(pages, made);
    const value = /data-tone="secret"[\s\S]*?value="([^"]+)"/.exec(shown)?.[1] ?? '';
    const who = await api(app.url, value).get('/user').expect(200);
    expect(who.body).toMatchObject({ id: user.id });
    const { text } = await pages.get(path).expect(200);
    expect(text).not.toContain(value);
    const [, revoke = ''] = /action="([^"]+\/revoke)"/.exec(text) ?? [];
    await pages.post(revoke).expect(303);
    await api(app.url, value).get('/user').expect(401);
    expect((await pages.get(`${path}?state=inactive`)).text).toContain('Support');
  });

  it('show what is wrong with a new one, and cannot have rights that the user lacks', async () => {
    const user = await makeUser(app);
    const path = `/admin/users/${user.id}/impersonation_tokens`;
    expect((await pages.get(path).expect(200)).text).not.toContain('value="sudo"');
    const { text } = await pages.post(path, { name: '' }).expect(422);
    expect(textOf(text)).toContain('There');
    await pages.get('/admin/users/0/impersonation_tokens').expect(404);
    await pages.post('/admin/users/0/impersonation_tokens', { name: 'x' }).expect(404);
    await pages.post(`${path}/0/revoke`).expect(404);
  });
});
