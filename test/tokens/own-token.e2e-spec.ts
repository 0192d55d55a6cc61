import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeToken, makeUser, tokenRow } from '../support/factories.js';
import { makeProject } from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

describe('/personal_access_tokens/self', () => {
  it('shows the token that is presented, whatever its scope and kind', async () => {
    const user = await makeUser(app);
    const weak = await makeToken(app, user, { scopes: ['read_repository'] });
    const impersonation = await makeToken(app, user, { kind: 'impersonation' });

    const { body } = await api(app.url, weak).get('/personal_access_tokens/self').expect(200);
    const other = await api(app.url, impersonation).get('/personal_access_tokens/self');

    const row = await tokenRow(app, weak);
    expect(body).toEqual({
      id: row.id,
      name: row.name,
      revoked: false,
      created_at: row.createdAt.toISOString(),
      description: null,
      scopes: ['read_repository'],
      user_id: user.id,
      last_used_at: null,
      last_used_ips: [],
      active: true,
      expires_at: null,
    });
    expect(other.body).toMatchObject({ impersonation: true });
  });

  it('shows, rotates and ends the token of a project as well', async () => {
    const { namespaceId } = await makeUser(app);
    const project = await makeProject(app, { namespaceId });
    const bot = await makeUser(app, { userType: 'project_bot' });
    const token = await makeToken(app, bot, { kind: 'project', projectId: project.id });
    const resource = { user_id: bot.id, resource_type: 'project', resource_id: project.id };

    const shown = await api(app.url, token).get('/personal_access_tokens/self').expect(200);
    const rotated = await api(app.url, token).post('/personal_access_tokens/self/rotate');
    const next = api(app.url, (rotated.body as { token: string }).token);
    await next.delete('/personal_access_tokens/self').expect(204);

    expect([shown.body, rotated.body]).toEqual([
      expect.objectContaining(resource),
      expect.objectContaining({ ...resource, token: expect.any(String) }),
    ]);
    await next.get('/personal_access_tokens/self').expect(401);
  });

  it('ends the token that is presented', async () => {
    const weak = await makeToken(app, await makeUser(app), { scopes: ['read_user'] });
    await api(app.url, weak).delete('/personal_access_tokens/self').expect(204);
    await api(app.url, weak).get('/personal_access_tokens/self').expect(401);
  });

  it('honours If-Unmodified-Since', async () => {
    const token = await makeToken(app, await makeUser(app));
    await api(app.url, token)
      .delete('/personal_access_tokens/self')
      .set('If-Unmodified-Since', 'Tue, 01 Jan 2019 00:00:00 GMT')
      .expect(412);
    await api(app.url, token).get('/user').expect(200);
  });

  it('is refused without a token, and 400 to an OAuth token', async () => {
    const oauth = await makeToken(app, await makeUser(app), { kind: 'oauth' });
    await api(app.url).get('/personal_access_tokens/self').expect(401);
    await api(app.url).delete('/personal_access_tokens/self').expect(401);
    for (const method of ['get', 'delete'] as const) {
      const client = api(app.url);
      const { body } = await client[method]('/personal_access_tokens/self')
        .set('Authorization', `Bearer ${oauth}`)
        .expect(400);
      expect(body).toEqual({
        message:
          '400 Bad request - This endpoint requires token type to be a personal access token',
      });
    }
  });
});
