import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
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

function newUser(): { name: string; username: string; email: string } {
  const username = unique('user');
  return { name: `Name of ${username}`, username, email: `${username}@example.com` };
}

describe('users', () => {
  it('know who they are', async () => {
    expect(await client.Users.showCurrentUser()).toMatchObject({
      id: admin.user.id,
      username: admin.user.username,
      is_admin: true,
    });
  });

  it('are created, shown, changed and removed', async () => {
    const attributes = newUser();
    const created = await client.Users.create({
      ...attributes,
      forceRandomPassword: true,
      skipConfirmation: true,
      projectsLimit: 7,
    });
    expect(created).toMatchObject({ ...attributes, state: 'active', projects_limit: 7 });
    const changed = await client.Users.edit(created.id, { bio: 'Größer & besser', external: true });
    expect(changed).toMatchObject({ id: created.id, bio: 'Größer & besser', external: true });
    expect(await client.Users.show(created.id)).toMatchObject({ username: attributes.username });
    await client.Users.remove(created.id);
    expect(await refusalOf(client.Users.show(created.id))).toEqual({
      status: 404,
      description: '404 User Not Found',
    });
  });

  it('are found by name, text and state', async () => {
    const user = await makeUser(app);
    expect(await client.Users.all({ username: user.username })).toMatchObject([{ id: user.id }]);
    expect(idsOf(await client.Users.all({ search: user.email }))).toEqual([user.id]);
    expect(idsOf(await client.Users.all({ search: user.username, blocked: true }))).toEqual([]);
    const latest = await client.Users.all({ orderBy: 'created_at', sort: 'desc', maxPages: 1 });
    expect(latest[0]).toMatchObject({ id: user.id });
  });

  it('are all seen when the library walks through the pages', async () => {
    const mark = unique('many');
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => makeUser(app, { username: `${mark}-${n}` })),
    );
    const seen = idsOf(await client.Users.all({ search: mark, perPage: 2 }));
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set(idsOf(made)));
  });

  it('are blocked, banned, deactivated and let in again', async () => {
    const { id } = await makeUser(app);
    const stateNow = async (): Promise<unknown> => (await client.Users.show(id)).state;
    await client.Users.block(id);
    expect(await stateNow()).toBe('blocked');
    await client.Users.unblock(id);
    await client.Users.ban(id);
    expect(await stateNow()).toBe('banned');
    await client.Users.unban(id);
    await client.Users.deactivate(id);
    expect(await stateNow()).toBe('deactivated');
    await client.Users.activate(id);
    expect(await stateNow()).toBe('active');
  });

  it('who wait for approval are approved or rejected', async () => {
    const [approved, rejected] = await Promise.all([
      makeUser(app, { state: 'pending' }),
      makeUser(app, { state: 'pending' }),
    ]);
    await client.Users.approve(approved.id);
    await client.Users.reject(rejected.id);
    expect(await client.Users.show(approved.id)).toMatchObject({ state: 'active' });
    expect((await refusalOf(client.Users.show(rejected.id))).status).toBe(404);
  });

  it('tell the application why they cannot be created', async () => {
    const attributes = newUser();
    await client.Users.create({ ...attributes, forceRandomPassword: true });
    const again = client.Users.create({
      ...newUser(),
      email: attributes.email,
      forceRandomPassword: true,
    });
    expect(await refusalOf(again)).toEqual({
      status: 409,
      description: 'Email has already been taken',
    });
    const { user, token } = await makeActor(app);
    const own = clientOf(app, { token }).Users.create({ ...newUser(), forceRandomPassword: true });
    expect(await refusalOf(own)).toEqual({ status: 403, description: '403 Forbidden' });
    expect((await refusalOf(clientOf(app, { token }).Users.block(user.id))).status).toBe(403);
  });
});
