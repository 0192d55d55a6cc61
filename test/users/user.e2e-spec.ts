import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailContent } from '../../src/core/mail/mail.js';
import { User } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import { linkIn, mailsTo, tokenIn } from '../support/mails.js';
import { makeGroup, makeProject } from '../support/project-factories.js';
import { changeSettings } from '../support/settings.js';
import { newBrowser } from '../support/sign-in.js';

const TOO_SHORT = 'is too short (minimum is 8 characters)';
const TOO_LONG = 'is too long (maximum is 255 characters)';

let app: TestApp;
let reader: MadeActor;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  reader = await makeActor(app);
  admin = await makeAdmin(app);
});

describe('GET /users/:id', () => {
  it('shows the profile to other users', async () => {
    const createdAt = new Date('2026-01-01T00:00:00Z');
    const user = await makeUser(app, { bio: 'Builds ships', createdAt });
    const { body } = await reader.api.get(`/users/${user.id}`).expect(200);
    expect(body).toEqual({
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      locked: false,
      avatar_url: null,
      web_url: `${app.url}/${user.username}`,
      bio: 'Builds ships',
      location: '',
      public_email: '',
      linkedin: '',
      twitter: '',
      website_url: '',
      organization: '',
      job_title: '',
      pronouns: '',
      bot: false,
      work_information: null,
      created_at: '2026-01-01T00:00:00.000Z',
      followers: 0,
      following: 0,
    });
  });

  it('keeps the dates of a private profile to itself', async () => {
    const user = await makeUser(app, { privateProfile: true });
    const { body } = await reader.api.get(`/users/${user.id}`).expect(200);
    expect(body).not.toHaveProperty('created_at');
    expect(body).not.toHaveProperty('followers');
  });

  it('shows the account to administrators', async () => {
    const user = await makeUser(app, { state: 'pending' });
    const { body } = await admin.api.get(`/users/${user.id}`).expect(200);
    expect(body).toMatchObject({ email: user.email, state: 'blocked_pending_approval' });
  });

  it('returns 403 to anonymous requests, 404 for an unknown ID, 400 for no ID', async () => {
    const anonymous = await api(app.url).get(`/users/${reader.user.id}`).expect(403);
    const unknown = await reader.api.get('/users/987654321').expect(404);
    const word = await reader.api.get('/users/abc').expect(400);
    expect(anonymous.body).toEqual({ message: '403 Forbidden - Not authorized!' });
    expect(unknown.body).toEqual({ message: '404 User Not Found' });
    expect(word.body).toMatchObject({ error: 'id is invalid' });
  });
});

describe('POST /users', () => {
  const newUser = (extra: object = {}): Record<string, unknown> => {
    const username = unique('new');
    const basics = { username, name: 'New Person', email: `${username}@example.com` };
    return { ...basics, password: 'correct horse battery', ...extra };
  };

  it('creates a user with a namespace of the same name', async () => {
    const given = { external: true, note: 'from outside' };
    const input = newUser({ ...given, projects_limit: '3' });
    const { body } = await admin.api.post('/users', input).expect(201);
    const { username, email } = input;
    expect(body).toMatchObject({ ...given, username, email, projects_limit: 3, state: 'active' });
    const [namespace] = await app.dataSource.query<unknown[]>(
      'SELECT n.id, n.full_path FROM namespaces n JOIN users u ON u.id = n.owner_id WHERE u.id = $1',
      [(body as { id: number }).id],
    );
    const { namespace_id: id } = body as { namespace_id: number };
    expect(namespace).toEqual({ id, full_path: username });
  });

  it('never answers the password or its digest', async () => {
    const { text } = await admin.api.post('/users', newUser()).expect(201);
    expect(text).not.toMatch(/password|argon2/);
  });

  it('leaves the address to be confirmed by its owner, unless confirmation is skipped', async () => {
    const confirmed = async (extra: object) => {
      const { body } = await admin.api.post('/users', newUser(extra)).expect(201);
      const { email, confirmed_at: at } = body as { email: string; confirmed_at: string | null };
      const kinds = (await mailsTo(app, email)).map(({ kind }) => kind);
      return { email, isConfirmed: at !== null, kinds };
    };
    const waits = { isConfirmed: false, kinds: ['email_confirmation'] };
    expect(await confirmed({})).toMatchObject(waits);
    expect(await confirmed({ skip_confirmation: false })).toMatchObject(waits);
    expect(await confirmed({ skip_confirmation: 'true' })).toMatchObject({
      isConfirmed: true,
      kinds: [],
    });
    await changeSettings(app, { email_confirmation_setting: 'off' });
    expect(await confirmed({})).toMatchObject({ isConfirmed: true, kinds: [] });
    const { email } = await confirmed({ skip_confirmation: false });
    await changeSettings(app, { email_confirmation_setting: 'hard' });

    const [mail] = await mailsTo(app, email);
    const confirmation_token = tokenIn(linkIn(mail as EmailContent, app.url));
    await newBrowser(app).post('/users/confirmation/verify', { confirmation_token });
    const row = await app.dataSource.manager.findOneByOrFail(User, { email });
    expect(row.confirmedAt).not.toBeNull();
  });

  it('takes a form as well as JSON', async () => {
    await admin.api.post('/users').type('form').send(newUser()).expect(201);
  });

  it('returns 401 to anonymous requests and 403 to others, before validating the input', async () => {
    await api(app.url).post('/users', {}).expect(401);
    const { body } = await reader.api.post('/users', {}).expect(403);
    expect(body).toEqual({ message: '403 Forbidden' });
  });

  it('names everything that is missing', async () => {
    const { body } = await admin.api.post('/users', { password: 'x' }).expect(400);
    expect(body).toEqual({
      message: '400 (Bad request) "email" not given, "name" not given, "username" not given',
      error: 'email is missing, name is missing, username is missing',
    });
  });

  it('wants one of the ways to a password', async () => {
    const error =
      'password, reset_password, force_random_password are missing, at least one parameter must be provided';
    const { body } = await admin.api.post('/users', newUser({ password: null })).expect(400);
    expect(body).toEqual({ message: `400 (Bad request) ${error}`, error });
    await admin.api
      .post('/users', newUser({ password: null, force_random_password: true }))
      .expect(201);
  });

  it.each<[string, object, object]>([
    ['a short password', { password: 'short' }, { password: [TOO_SHORT] }],
    ['an empty name', { name: ' ' }, { name: ["can't be blank"] }],
    ['no address', { email: 'nobody' }, { email: ['is invalid'] }],
    ['a reserved username', { username: 'admin' }, { username: ['admin is a reserved name'] }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, { name: [TOO_LONG] }],
  ])('refuses %s with messages per attribute', async (_what, extra, message) => {
    const { body } = await admin.api.post('/users', newUser(extra)).expect(400);
    expect(body).toEqual({ message });
  });

  it('answers 409 for an address or a username that is taken in any case', async () => {
    const { email, username } = await makeUser(app);
    const address = await admin.api
      .post('/users', newUser({ email: email.toUpperCase() }))
      .expect(409);
    const name = await admin.api
      .post('/users', newUser({ username: username.toUpperCase() }))
      .expect(409);
    expect(address.body).toEqual({ message: 'Email has already been taken' });
    expect(name.body).toEqual({ message: 'Username has already been taken' });
  });

  it('answers 409 when a group has the path already', async () => {
    const path = unique('group');
    await app.dataSource.query(
      `INSERT INTO namespaces (kind, name, path, full_path, full_name) VALUES ('group', $1, $1, $1, $1)`,
      [path],
    );
    await admin.api.post('/users', newUser({ username: path })).expect(409);
  });
});

describe('a username that was the path of a group', () => {
  it('leads to the group no longer, nor do the addresses below it', async () => {
    const group = await makeGroup(app, { visibility: 'public' });
    const project = await makeProject(app, { namespaceId: group.id, visibility: 'public' });
    await admin.api.put(`/groups/${group.id}`, { path: unique('away') }).expect(200);
    const address = `/projects/${encodeURIComponent(project.fullPath)}`;
    await admin.api.get(address).expect(301);

    const body = { username: group.path, name: 'New', email: `${group.path}@example.com` };
    await admin.api.post('/users', { ...body, password: 'a long password' }).expect(201);

    await admin.api.get(address).expect(404);
    await admin.api.get(`/groups/${group.path}`).expect(404);
  });
});

describe('PUT /users/:id', () => {
  it('changes only what is given', async () => {
    const user = await makeUser(app, { bio: 'old', location: 'Here' });
    const { body } = await admin.api.put(`/users/${user.id}`, { bio: null, admin: true });
    expect(body).toMatchObject({ bio: '', location: 'Here', is_admin: true, name: user.name });
  });

  it('renames the namespace and keeps the old paths of its projects', async () => {
    const user = await makeUser(app);
    const [project] = await app.dataSource.query<{ id: number }[]>(
      `INSERT INTO projects (namespace_id, name, path, repository_storage)
       VALUES ($1, 'p', 'tools', 'default') RETURNING id`,
      [user.namespaceId],
    );
    const username = unique('renamed');
    await admin.api.put(`/users/${user.id}`, { username, name: 'Renamed' }).expect(200);
    const [namespace] = await app.dataSource.query<unknown[]>(
      'SELECT path, full_path, full_name FROM namespaces WHERE id = $1',
      [user.namespaceId],
    );
    const redirects = await app.dataSource.query<unknown[]>(
      'SELECT path, namespace_id, project_id FROM route_redirects WHERE path LIKE $1 ORDER BY path',
      [`${user.username}%`],
    );
    expect(namespace).toEqual({ path: username, full_path: username, full_name: 'Renamed' });
    expect(redirects).toEqual([
      { path: user.username, namespace_id: user.namespaceId, project_id: null },
      { path: `${user.username}/tools`, namespace_id: null, project_id: project?.id },
    ]);
    await admin.api.put(`/users/${user.id}`, { username: user.username }).expect(200);
    const back = await app.dataSource.query<{ path: string }[]>(
      'SELECT path FROM route_redirects WHERE path LIKE $1 OR path LIKE $2 ORDER BY path',
      [`${user.username}%`, `${username}%`],
    );
    expect(back.map(({ path }) => path)).toEqual([username, `${username}/tools`]);
  });

  it('answers 409 for what another user has', async () => {
    const [user, other] = [await makeUser(app), await makeUser(app)];
    const name = await admin.api.put(`/users/${user.id}`, { username: other.username }).expect(409);
    const mail = await admin.api.put(`/users/${user.id}`, { email: other.email }).expect(409);
    expect(name.body).toEqual({ message: 'Username has already been taken' });
    expect(mail.body).toEqual({ message: 'Email has already been taken' });
    await admin.api.put(`/users/${user.id}`, { email: user.email }).expect(200);
  });

  it('answers 403 to others, 404 for an unknown user, 400 for bad values', async () => {
    await reader.api.put(`/users/${reader.user.id}`, { admin: true }).expect(403);
    await admin.api.put('/users/987654321', { bio: 'x' }).expect(404);
    const { body } = await admin.api.put(`/users/${reader.user.id}`, { name: '' }).expect(400);
    expect(body).toEqual({ message: { name: ["can't be blank"] } });
    await admin.api.put(`/users/${reader.user.id}`, { admin: 'maybe' }).expect(400);
  });

  it('names attributes that it does not know', async () => {
    const user = await makeUser(app, { bio: 'old' });
    const change = { bio: 'new', theme: 5, state: 'blocked', skip_reconfirmation: true };
    const { body } = await admin.api.put(`/users/${user.id}`, change).expect(400);
    const error = 'theme is unknown, state is unknown';
    expect(body).toEqual({ message: `400 (Bad request) ${error}`, error });
    await admin.api.put(`/users/${user.id}`, { bio: 'new', skip_reconfirmation: true }).expect(200);
  });

  it('answers 412 when the user changed since the client looked', async () => {
    const user = await makeUser(app);
    const { body } = await admin.api
      .put(`/users/${user.id}`, { bio: 'late' })
      .set('If-Unmodified-Since', 'Tue, 01 Jan 2019 00:00:00 GMT')
      .expect(412);
    expect(body).toEqual({ message: '412 Precondition Failed' });
  });
});
