import { beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import {
  clientFields,
  makeApplication,
  postToken,
  type MadeApplication,
  type TokenBody,
} from '../support/oauth-factories.js';

let app: TestApp;
let client: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  client = await makeApplication(app, { scopes: ['api', 'read_user'] });
});

const ask = (fields: Record<string, string>) =>
  postToken(app, { grant_type: 'client_credentials', ...fields });

describe('POST /oauth/token with the credentials of a client', () => {
  it('answers with a token that cannot be refreshed', async () => {
    const { status, body } = await ask(clientFields(client));
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'bearer',
      expires_in: 7200,
      scope: 'api',
      created_at: expect.any(Number),
    });
  });

  it('gives no user to the API: 401, also on endpoints that are open to all', async () => {
    const { body } = await ask(clientFields(client)).expect(200);
    const { access_token: token } = body as TokenBody;
    for (const path of ['/user', '/projects']) {
      const answer = api(app.url).get(path).auth(token, { type: 'bearer' });
      expect((await answer.expect(401)).body).toEqual({ message: '401 Unauthorized' });
    }
  });

  it('takes the scopes that are asked for, or all when api is not among them', async () => {
    const { body } = await ask({ ...clientFields(client), scope: 'read_user' }).expect(200);
    expect(body).toMatchObject({ scope: 'read_user' });
    const reader = await makeApplication(app, { scopes: ['read_api', 'read_user'] });
    const all = await ask(clientFields(reader)).expect(200);
    expect(all.body).toMatchObject({ scope: 'read_api read_user' });
  });

  it('refuses scopes that the application has not', async () => {
    const { body } = await ask({ ...clientFields(client), scope: 'sudo' }).expect(400);
    expect(body).toMatchObject({
      error: 'invalid_scope',
      error_description: expect.stringContaining(': sudo (not allowed for this application).'),
    });
  });

  it('refuses a public client, which cannot prove that it is itself', async () => {
    const { uid } = await makeApplication(app, { confidential: false });
    const { body } = await ask({ client_id: uid }).expect(401);
    expect(body).toMatchObject({ error: 'invalid_client' });
  });

  it('ends with a renewed secret in every process at once', async () => {
    const { id, uid, secret } = await makeApplication(app);
    await ask({ client_id: uid, client_secret: secret }).expect(200);
    await app.dataSource.query(`UPDATE oauth_applications SET secret_digest = 'x' WHERE id = $1`, [
      id,
    ]);
    await eventually(async () => {
      await ask({ client_id: uid, client_secret: secret }).expect(401);
    });
  });
});
