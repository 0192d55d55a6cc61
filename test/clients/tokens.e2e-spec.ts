import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeToken, unique, type MadeActor } from '../support/factories.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

const SOON = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
const REVOKED = {
  status: 401,
  description: 'invalid_token',
};

let app: OwnTestApp;
let admin: MadeActor;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeAdmin(app);
  client = clientOf(app, admin);
});
afterAll(() => app.close());

describe('personal access tokens', () => {
  it('are made for a user, found, shown, rotated and ended', async () => {
    const { user } = await makeActor(app);
    const created = await client.PersonalAccessTokens.create(user.id, 'Reports', ['read_api'], {
      expiresAt: SOON,
    });
    expect(created).toMatchObject({
      name: 'Reports',
      scopes: ['read_api'],
      user_id: user.id,
      active: true,
      revoked: false,
      expires_at: SOON,
      token: expect.any(String),
    });
    const found = await client.PersonalAccessTokens.all({ userId: user.id, search: 'report' });
    expect(idsOf(found)).toEqual([created.id]);
    const rotated = await client.PersonalAccessTokens.rotate(created.id, { expiresAt: SOON });
    expect(rotated).toMatchObject({ name: 'Reports', scopes: ['read_api'], expires_at: SOON });
    const inactive = await client.PersonalAccessTokens.all({ userId: user.id, state: 'inactive' });
    expect(idsOf(inactive)).toEqual([created.id]);
    expect(await refusalOf(clientOf(app, created).Users.showCurrentUser())).toEqual(REVOKED);
    await client.PersonalAccessTokens.remove({ tokenId: rotated.id });
    const shown = await client.PersonalAccessTokens.show({ tokenId: rotated.id });
    expect(shown).toMatchObject({ id: rotated.id, revoked: true, active: false });
    expect(shown.token).toBeUndefined();
  });

  it('show, rotate and end themselves', async () => {
    const { user, token } = await makeActor(app);
    const own = await clientOf(app, { token }).PersonalAccessTokens.show();
    expect(own).toMatchObject({ user_id: user.id, scopes: ['api'] });
    const rotated = await clientOf(app, { token }).PersonalAccessTokens.rotate('self');
    const next = clientOf(app, rotated);
    expect(await next.Users.showCurrentUser()).toMatchObject({ id: user.id });
    await next.PersonalAccessTokens.remove();
    expect(await refusalOf(next.Users.showCurrentUser())).toEqual(REVOKED);
  });

  it('are filtered by time of creation, with a zone in the time', async () => {
    const { user, token } = await makeActor(app);
    const since = `${new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)}+00:00`;
    const own = clientOf(app, { token }).PersonalAccessTokens;
    expect(await own.all({ createdAfter: since })).toMatchObject([{ user_id: user.id }]);
    expect(await own.all({ createdBefore: since })).toEqual([]);
  });

  it('are walked through page by page, with the figures of the pages', async () => {
    const { user } = await makeActor(app);
    await Promise.all([1, 2, 3, 4].map(() => makeToken(app, user)));
    const all = await client.PersonalAccessTokens.all({ userId: user.id, perPage: 2 });
    expect(new Set(idsOf(all)).size).toBe(5);
    const second = await client.PersonalAccessTokens.all({
      userId: user.id,
      perPage: 2,
      page: 2,
      showExpanded: true,
    });
    expect(second.paginationInfo).toEqual({
      total: 5,
      next: 3,
      current: 2,
      previous: 1,
      perPage: 2,
      totalPages: 3,
    });
    expect(second.data).toHaveLength(2);
  });

  it('are made by the method of the users, too', async () => {
    const { user } = await makeActor(app);
    const { token } = await client.Users.createPersonalAccessToken(user.id, 'Robot', ['read_user']);
    expect(await clientOf(app, { token }).Users.showCurrentUser()).toMatchObject({ id: user.id });
  });
});

describe('impersonation tokens', () => {
  it('are made, listed, used and revoked by an administrator', async () => {
    const { user } = await makeActor(app);
    const tokens = client.UserImpersonationTokens;
    const created = await tokens.create(user.id, 'Support', ['api'], { expiresAt: SOON });
    expect(created).toMatchObject({ impersonation: true, active: true, expires_at: SOON });
    const acting = clientOf(app, { token: created.token ?? '' });
    expect(await acting.Users.showCurrentUser()).toMatchObject({ username: user.username });
    expect(idsOf(await tokens.all(user.id, { state: 'active' }))).toEqual([created.id]);
    await tokens.revoke(user.id, created.id);
    expect(await tokens.show(user.id, created.id)).toMatchObject({ revoked: true });
    expect(await tokens.all(user.id, { state: 'active' })).toEqual([]);
  });
});

describe.each(['project', 'group'] as const)('access tokens of a %s', (kind) => {
  const tokensOf = (by: Client): Client['ProjectAccessTokens'] | Client['GroupAccessTokens'] =>
    kind === 'project' ? by.ProjectAccessTokens : by.GroupAccessTokens;

  async function makeHome(): Promise<number> {
    if (kind === 'project') return (await client.Projects.create({ name: unique('project-') })).id;
    return (await client.Groups.create(unique('Group '), unique('group-'))).id;
  }

  it('are made, listed, shown, rotated and revoked', async () => {
    const home = await makeHome();
    const tokens = tokensOf(client);
    const created = await tokens.create(home, 'Deploys', ['api', 'read_repository'], SOON, {
      accessLevel: 30,
    });
    expect(created).toMatchObject({
      name: 'Deploys',
      scopes: ['api', 'read_repository'],
      access_level: 30,
      expires_at: SOON,
      active: true,
    });
    const bot = clientOf(app, created);
    expect(await bot.Users.showCurrentUser()).toMatchObject({ id: created.user_id, bot: true });
    expect(idsOf(await tokens.all(home))).toEqual([created.id]);
    const rotated = await tokens.rotate(home, created.id, { expiresAt: SOON });
    expect(rotated).toMatchObject({ user_id: created.user_id, access_level: 30 });
    expect(await refusalOf(bot.Users.showCurrentUser())).toEqual(REVOKED);
    await tokens.revoke(home, rotated.id);
    expect(await tokens.show(home, rotated.id)).toMatchObject({ revoked: true, active: false });
  });

  it('are not told to those who may not manage them', async () => {
    const home = await makeHome();
    const stranger = tokensOf(clientOf(app, await makeActor(app)));
    expect((await refusalOf(stranger.all(home))).status).toBe(404);
    expect(await refusalOf(tokensOf(client).show(home, 999_999_999))).toEqual({
      status: 404,
      description: `404 ${kind} Access Token Not Found`,
    });
  });
});
