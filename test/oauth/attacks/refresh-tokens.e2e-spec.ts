import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialDigest } from '../../../src/core/secrets.js';
import { AccessToken } from '../../../src/identity/tokens/access-token.entity.js';
import { hashPassword } from '../../../src/core/passwords.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { makeAdmin, makeUser, type MadeUser } from '../../support/factories.js';
import {
  clientFields,
  makeApplication,
  makeGrant,
  makeOAuthTokens,
  postRefresh,
  postToken,
  type MadeApplication,
  type TokenBody,
} from '../../support/oauth-factories.js';
import { makeVisitor, signedIn, type PageClient } from '../../support/page-client.js';
import { exchange, getAs, postForm } from './attacker.js';

const OLD_PASSWORD = 'forty quiet owls by the river';
const NEW_PASSWORD = 'seven wet lanterns in March';

let app: TestApp;
let client: MadeApplication;
let passwordDigest: string;
beforeAll(async () => {
  app = await sharedTestApp();
  client = await makeApplication(app);
  passwordDigest = await hashPassword(OLD_PASSWORD);
});

interface Spoils {
  user: MadeUser;
  pages: PageClient;
  tokens: TokenBody;
  /** Not used yet. */
  code: string;
}

/** Credentials that a thief can steal from a user who has authorized the application. */
async function makeSpoils(): Promise<Spoils> {
  const { user, pages } = await makeVisitor(app, { passwordDigest });
  const tokens = await makeOAuthTokens(app, { application: client, user });
  await getAs(app, tokens.access_token).expect(200);
  return { user, pages, tokens, code: await makeGrant(app, { application: client, user }) };
}

/** Every way in is shut. */
async function expectWorthless({ tokens, code }: Spoils, status = 401): Promise<void> {
  await eventually(() => getAs(app, tokens.access_token).expect(status));
  await getAs(app, tokens.access_token, '/oauth/token/info').expect(401);
  const { body } = await postRefresh(app, client, tokens.refresh_token).expect(400);
  expect(body).toMatchObject({ error: 'invalid_grant' });
  const exchanged = await exchange(app, client, { code }).expect(400);
  expect(exchanged.body).toMatchObject({ error: 'invalid_grant' });
}

/** Lets time pass since the token was replaced. */
async function age({ access_token: token }: TokenBody, seconds: number): Promise<void> {
  const revokedAt = new Date(Date.now() - seconds * 1_000);
  await app.dataSource.manager.update(
    AccessToken,
    { digest: credentialDigest(token) },
    { revokedAt },
  );
}

describe('what a thief has of an authorization', () => {
  it('is worthless at once when the person takes the authorization back', async () => {
    const spoils = await makeSpoils();
    await spoils.pages.post(`/oauth/authorized_applications/${client.id}/revoke`).expect(303);
    await expectWorthless(spoils);
  });

  it('is worthless at once when the person changes the password', async () => {
    const spoils = await makeSpoils();
    await spoils.pages
      .post('/-/user_settings/password', {
        current_password: OLD_PASSWORD,
        password: NEW_PASSWORD,
        password_confirmation: NEW_PASSWORD,
      })
      .expect(303);
    await expectWorthless(spoils);
  });

  it('is worthless at once when an administrator blocks the person', async () => {
    const spoils = await makeSpoils();
    const admin = await makeAdmin(app);
    await admin.api.post(`/users/${spoils.user.id}/block`).expect(201);
    await expectWorthless(spoils, 403);
  });

  it('stays revoked after the user was unblocked', async () => {
    const { user, pages, code } = await makeSpoils();
    const admin = await makeAdmin(app);
    await admin.api.post(`/users/${user.id}/block`).expect(201);
    await admin.api.post(`/users/${user.id}/unblock`).expect(201);
    await exchange(app, client, { code }).expect(400);
    await pages.get('/api/v4/user').expect(401);
  });
});

describe('a token that is used after its end', () => {
  it.each(['access_token', 'refresh_token'] as const)(
    'is refused at once after its %s was revoked',
    async (half) => {
      const { tokens } = await makeSpoils();
      const fields = { token: tokens[half], ...clientFields(client) };
      await postForm(app, '/oauth/revoke', fields).expect(200);
      await getAs(app, tokens.access_token).expect(401);
      await getAs(app, tokens.access_token, '/oauth/userinfo').expect(401);
      await postRefresh(app, client, tokens.refresh_token).expect(400);
    },
  );

  it('is refused as a cookie after the person has signed out', async () => {
    const { user, pages } = await makeVisitor(app);
    const elsewhere = await signedIn(app, user);
    await pages.get('/api/v4/user').expect(200);
    await pages.post('/users/sign_out').expect(303);
    await pages.get('/api/v4/user').expect(401);
    await pages.get('/-/user_settings/profile').expect(302);
    await elsewhere.get('/api/v4/user').expect(200);
  });

  it('is refused a refresh of it when it was revoked long ago and is shown again', async () => {
    const { tokens } = await makeSpoils();
    const fields = { token: tokens.access_token, ...clientFields(client) };
    await postForm(app, '/oauth/revoke', fields).expect(200);
    await age(tokens, 86_400);
    await postRefresh(app, client, tokens.refresh_token).expect(400);
  });
});

describe('a refresh token that two parties have', () => {
  it('ends the whole family when the thief comes second', async () => {
    const { tokens } = await makeSpoils();
    const { body } = await postRefresh(app, client, tokens.refresh_token).expect(200);
    const owned = body as TokenBody;
    await age(tokens, 31);
    await postRefresh(app, client, tokens.refresh_token).expect(400);
    await getAs(app, owned.access_token).expect(401);
    await postRefresh(app, client, owned.refresh_token).expect(400);
  });

  it('ends the whole family when the owner comes second, however far the thief got', async () => {
    const { tokens } = await makeSpoils();
    let stolen = tokens;
    for (let times = 0; times < 3; times++) {
      const { body } = await postRefresh(app, client, stolen.refresh_token).expect(200);
      stolen = body as TokenBody;
    }
    await age(tokens, 31);
    await postRefresh(app, client, tokens.refresh_token).expect(400);
    await getAs(app, stolen.access_token).expect(401);
    await postRefresh(app, client, stolen.refresh_token).expect(400);
  });

  it('brings no second pair within the grace, which spares the first', async () => {
    const { tokens } = await makeSpoils();
    const { body } = await postRefresh(app, client, tokens.refresh_token).expect(200);
    const again = await postRefresh(app, client, tokens.refresh_token).expect(400);
    expect(again.body).not.toHaveProperty('access_token');
    await getAs(app, (body as TokenBody).access_token).expect(200);
  });

  it('brings one pair of 64 uses at the same time, never two that live', async () => {
    const { user, tokens } = await makeSpoils();
    const uses = Array.from(
      { length: 64 },
      async () => await postRefresh(app, client, tokens.refresh_token),
    );
    const answers = await Promise.all(uses);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(63);
    const living = await app.dataSource.query<object[]>(
      'SELECT id FROM access_tokens WHERE user_id = $1 AND revoked_at IS NULL',
      [user.id],
    );
    expect(living).toHaveLength(1);
    await getAs(app, (won[0]?.body as TokenBody).access_token).expect(200);
  });

  it('is of no use to another application, or to who has no secret', async () => {
    const { tokens } = await makeSpoils();
    const thief = await makeApplication(app);
    await postRefresh(app, thief, tokens.refresh_token).expect(400);
    await postRefresh(app, { uid: client.uid, secret: thief.secret }, tokens.refresh_token).expect(
      401,
    );
    const bare = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    await postToken(app, bare).expect(401);
    await postRefresh(app, client, tokens.refresh_token).expect(200);
  });
});

describe('a refresh that asks for more', () => {
  const refresh = (tokens: TokenBody, scope: string) =>
    postToken(app, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      scope,
      ...clientFields(client),
    });

  it.each(['api', 'read_user api', 'read_user write_repository', 'sudo', 'everything'])(
    'than was approved is refused: %s',
    async (scope) => {
      const user = await makeUser(app);
      const tokens = await makeOAuthTokens(app, {
        application: client,
        user,
        scopes: ['read_user'],
      });
      const { body } = await refresh(tokens, scope).expect(400);
      expect(body).toMatchObject({ error: 'invalid_scope' });
      await getAs(app, tokens.access_token).expect(200);
    },
  );

  it('than is left after a narrower one is refused', async () => {
    const user = await makeUser(app);
    const scopes = ['api', 'read_user'];
    const tokens = await makeOAuthTokens(app, { application: client, user, scopes });
    const { body } = await refresh(tokens, 'read_user').expect(200);
    await refresh(body as TokenBody, 'api').expect(400);
  });
});
