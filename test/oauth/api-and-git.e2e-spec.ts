import { beforeAll, describe, expect, it } from '@jest/globals';
import { APPLICATION_SCOPES, type Scope } from '../../src/core/access/scopes.js';
import { basic, makeProject, raw, type MadeProject } from '../git-http/world.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import {
  clientFields,
  makeApplication,
  makeOAuthTokens,
  postToken,
  randomHex,
  type MadeApplication,
  type TokenBody,
} from '../support/oauth-factories.js';

let app: TestApp;
let client: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  client = await makeApplication(app, { scopes: [...APPLICATION_SCOPES] });
});

async function tokenOf(user: { id: number }, ...scopes: Scope[]): Promise<string> {
  return (await makeOAuthTokens(app, { application: client, user, scopes })).access_token;
}

describe('an OAuth token at the API', () => {
  it('counts in the bearer header and as access_token', async () => {
    const user = await makeUser(app);
    const token = await tokenOf(user, 'api');
    const byHeader = await api(app.url).get('/user').auth(token, { type: 'bearer' }).expect(200);
    const byParameter = await api(app.url).get(`/user?access_token=${token}`).expect(200);
    expect([byHeader.body, byParameter.body]).toEqual([
      expect.objectContaining({ id: user.id }),
      expect.objectContaining({ id: user.id }),
    ]);
  });

  it('does not count where personal tokens do', async () => {
    const token = await tokenOf(await makeUser(app), 'api');
    await api(app.url, token).get('/user').expect(401);
    await api(app.url).get(`/user?private_token=${token}`).expect(401);
  });

  it('is no use as a refresh token, and a refresh token is none at the API', async () => {
    const user = await makeUser(app);
    const tokens = await makeOAuthTokens(app, { application: client, user });
    await api(app.url).get('/user').auth(tokens.refresh_token, { type: 'bearer' }).expect(401);
  });

  it('is refused when another server has issued it', async () => {
    const foreign = ['eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', randomHex()];
    for (const token of foreign) {
      await api(app.url).get('/user').auth(token, { type: 'bearer' }).expect(401);
    }
  });

  it('opens what its scopes open', async () => {
    const token = await tokenOf(await makeUser(app), 'read_user');
    await api(app.url).get('/user').auth(token, { type: 'bearer' }).expect(200);
    const { body } = await api(app.url)
      .get('/projects')
      .auth(token, { type: 'bearer' })
      .expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope' });
  });

  it('opens nothing with scopes of OpenID Connect alone', async () => {
    const token = await tokenOf(await makeUser(app), 'openid', 'email');
    await api(app.url).get('/user').auth(token, { type: 'bearer' }).expect(403);
  });

  it.each(['blocked', 'deactivated'] as const)('is refused for a user who is %s', async (state) => {
    const user = await makeUser(app);
    const token = await tokenOf(user, 'api');
    await app.dataSource.query('UPDATE users SET state = $2 WHERE id = $1', [user.id, state]);
    await api(app.url).get('/user').auth(token, { type: 'bearer' }).expect(403);
  });
});

describe('sudo with an OAuth token', () => {
  const asked = (token: string, john: MadeUser) =>
    api(app.url).get('/user').auth(token, { type: 'bearer' }).set('Sudo', john.username);

  it('acts as another user for an administrator whose token has the scope', async () => {
    const admin = await makeUser(app, { admin: true });
    const john = await makeUser(app);
    const { body } = await asked(await tokenOf(admin, 'api', 'sudo'), john).expect(200);
    expect(body).toMatchObject({ id: john.id });
    await asked(await tokenOf(admin, 'api'), john).expect(403);
  });

  it('is refused to everyone else', async () => {
    await asked(await tokenOf(await makeUser(app), 'api', 'sudo'), await makeUser(app)).expect(403);
  });
});

describe('Git with an OAuth token', () => {
  const discover = (project: MadeProject, service: string, token: string) =>
    raw(app, `/${project.fullPath}.git/info/refs?service=git-${service}-pack`, {
      headers: { Authorization: basic(token, 'oauth2') },
    });

  it.each([
    ['read_repository', 200, 403],
    ['write_repository', 200, 200],
    ['api', 200, 200],
  ] as const)('with scope %s answers a fetch with %i and a push with %i', async (...row) => {
    const [scope, fetched, pushed] = row;
    const project = await makeProject(app);
    const token = await tokenOf(project.owner, scope);
    expect((await discover(project, 'upload', token)).status).toBe(fetched);
    expect((await discover(project, 'receive', token)).status).toBe(pushed);
  });

  it('refuses tokens of other scopes, and those that have ended', async () => {
    const project = await makeProject(app);
    const other = await tokenOf(project.owner, 'read_user');
    expect((await discover(project, 'upload', other)).status).toBe(403);
    const token = await tokenOf(project.owner, 'read_repository');
    await app.dataSource.query('UPDATE access_tokens SET revoked_at = now() WHERE user_id = $1', [
      project.owner.id,
    ]);
    expect((await discover(project, 'upload', token)).status).toBe(401);
  });

  it('does not know the token of an application by itself', async () => {
    const project = await makeProject(app);
    const fields = { grant_type: 'client_credentials', ...clientFields(client) };
    const { body } = await postToken(app, fields).expect(200);
    const { access_token: token } = body as TokenBody;
    expect((await discover(project, 'upload', token)).status).toBe(401);
  });
});
