import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Response, type Test } from 'supertest';
import type { Scope } from '../../src/core/access/scopes.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeAdmin, makeToken, makeUser, type MadeUser } from '../support/factories.js';
import { makeProject } from '../support/project-factories.js';
import { ProbeModule } from './probe.module.js';

const UNAUTHORIZED = { message: '401 Unauthorized' };
const SECOND = 1_000;

let app: OwnTestApp;
let user: MadeUser;
let token: string;
beforeAll(async () => {
  app = await startTestApp({ imports: [ProbeModule] });
  user = await makeUser(app);
  token = await makeToken(app, user);
});
afterAll(() => app.close());

const get = (path: string): Test => request(app.url).get(`/api/v4${path}`);

describe('presenting a token', () => {
  it.each<[string, () => Test]>([
    ['PRIVATE-TOKEN header', () => get('/probe/rows').set('PRIVATE-TOKEN', token)],
    ['private_token parameter', () => get(`/probe/rows?private_token=${token}`)],
    ['bearer header', () => get('/probe/rows').set('Authorization', `Bearer ${token}`)],
    ['bearer header in any case', () => get('/probe/rows').set('Authorization', `bearer ${token}`)],
    ['access_token parameter', () => get(`/probe/rows?access_token=${token}`)],
    ['bearer_token parameter', () => get(`/probe/rows?bearer_token=${token}`)],
  ])('is possible by %s', async (_way, send) => {
    const { body } = await send().expect(200);
    expect(body).toEqual({ viewer: user.id, impersonator: null });
  });

  it.each([
    ['a JSON body', 'application/json'],
    ['a form body', 'application/x-www-form-urlencoded'],
  ])('is possible in %s', async (_way, type) => {
    const { body } = await request(app.url)
      .post('/api/v4/probe/rows')
      .type(type)
      .send({ private_token: token })
      .expect(201);
    expect(body).toEqual({ viewer: user.id, impersonator: null });
  });

  it('counts a blank one as absent', async () => {
    const anonymous = { viewer: null, impersonator: null };
    const header = await get('/probe/public').set('PRIVATE-TOKEN', ' ').expect(200);
    const parameter = await get('/probe/public?private_token=&access_token=').expect(200);
    const bearer = await get('/probe/public').set('Authorization', 'Bearer ').expect(200);
    expect([header.body, parameter.body, bearer.body]).toEqual([anonymous, anonymous, anonymous]);
  });

  it('answers 401 to an unknown one even on a public endpoint', async () => {
    const response = await get('/probe/public').set('PRIVATE-TOKEN', 'bad').expect(401);
    expect(response.body).toEqual(UNAUTHORIZED);
    expect(response.headers).not.toHaveProperty('www-authenticate');
    await get('/probe/public').set('Authorization', 'Bearer bad').expect(401);
  });

  it('answers 401 without any on a protected endpoint', async () => {
    const response = await get('/probe/rows').expect(401);
    expect(response.body).toEqual(UNAUTHORIZED);
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });

  it('does not accept a list in its place', async () => {
    await get(`/probe/public?private_token[]=${token}`).expect(401);
  });

  it('ignores Basic credentials', async () => {
    const { body } = await get('/probe/public').auth('oauth2', token).expect(200);
    expect(body).toEqual({ viewer: null, impersonator: null });
  });

  it('answers 400 to a bearer header and access_token together', async () => {
    const { body } = await get(`/probe/public?access_token=${token}`)
      .set('Authorization', `Bearer ${token}`)
      .expect(400);
    expect(body).toEqual({
      error: 'invalid_request',
      error_description: 'Both Authorization header and payload includes access token.',
    });
  });

  it('is not possible with a job token, nor with an OAuth token as personal token', async () => {
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const job = await makeToken(app, user, { kind: 'job', projectId: project.id });
    const oauth = await makeToken(app, user, { kind: 'oauth' });
    await get('/probe/rows').set('PRIVATE-TOKEN', job).expect(401);
    await get('/probe/rows').set('PRIVATE-TOKEN', oauth).expect(401);
    await get('/probe/rows').set('Authorization', `Bearer ${oauth}`).expect(200);
  });
});

describe('several tokens at once', () => {
  const viewerOf = (response: Response): unknown => (response.body as { viewer: unknown }).viewer;

  it('prefers an OAuth token, then private_token, then the PRIVATE-TOKEN header', async () => {
    const [first, second, third] = [await makeUser(app), await makeUser(app), await makeUser(app)];
    const oauth = await makeToken(app, first, { kind: 'oauth' });
    const [parameter, header] = [await makeToken(app, second), await makeToken(app, third)];

    const all = await get(`/probe/rows?private_token=${parameter}`)
      .set({ Authorization: `Bearer ${oauth}`, 'PRIVATE-TOKEN': header })
      .expect(200);
    const both = await get(`/probe/rows?private_token=${parameter}`)
      .set('PRIVATE-TOKEN', header)
      .expect(200);

    expect([viewerOf(all), viewerOf(both)]).toEqual([first.id, second.id]);
  });

  it('prefers a personal token sent as such to one sent as bearer', async () => {
    const other = await makeUser(app);
    const response = await get('/probe/rows')
      .set({ Authorization: `Bearer ${token}`, 'PRIVATE-TOKEN': await makeToken(app, other) })
      .expect(200);
    expect(viewerOf(response)).toBe(other.id);
  });

  it('does not fall back from an unknown one to another', async () => {
    await get('/probe/rows?private_token=bad').set('PRIVATE-TOKEN', token).expect(401);
  });
});

describe('a token that is no longer good', () => {
  const expired = (): Date => new Date(Date.now() - SECOND);

  it.each([
    ['expired', 'Token is expired. You can either do re-authorization or token refresh.'],
    ['revoked', 'Token was revoked. You have to re-authorize from the user.'],
  ])('is refused when %s, saying so', async (state, description) => {
    const attributes = state === 'expired' ? { expiresAt: expired() } : { revokedAt: expired() };
    const dead = await makeToken(app, user, attributes);

    const response = await api(app.url, dead).get('/probe/public').expect(401);

    expect(response.body).toEqual({ error: 'invalid_token', error_description: description });
    expect(response.headers['www-authenticate']).toBe(
      `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${description}"`,
    );
  });

  it('counts as expired when it is revoked, too', async () => {
    const dead = await makeToken(app, user, { expiresAt: expired(), revokedAt: expired() });
    const { body } = await api(app.url, dead).get('/probe/rows').expect(401);
    expect(body).toMatchObject({ error_description: expect.stringContaining('expired') });
  });

  it('works until the moment it expires', async () => {
    const young = await makeToken(app, user, { expiresAt: new Date(Date.now() + 60 * SECOND) });
    await api(app.url, young).get('/probe/rows').expect(200);
  });
});

describe('scopes', () => {
  const withScopes = (...scopes: Scope[]): Promise<string> => makeToken(app, user, { scopes });

  it('answers 403 and lists what would do', async () => {
    const weak = await withScopes('read_repository');
    const description = 'The request requires higher privileges than provided by the access token.';

    const response = await api(app.url, weak).get('/probe/profile').expect(403);

    expect(response.body).toEqual({
      error: 'insufficient_scope',
      error_description: description,
      scope: 'read_user api read_api',
    });
    expect(response.headers['www-authenticate']).toBe(
      `Bearer realm="Protected by OAuth 2.0", error="insufficient_scope", error_description="${description}", scope="read_user api read_api"`,
    );
  });

  it('lets read_api read everything by GET and HEAD', async () => {
    const reader = await withScopes('read_api');
    await api(app.url, reader).get('/probe/rows').expect(200);
    await api(app.url, reader).head('/probe/rows').expect(200);
    await api(app.url, reader).get('/probe/profile').expect(200);
  });

  it('never lets read_api write', async () => {
    const reader = await withScopes('read_api', 'read_user');
    const { body } = await api(app.url, reader).post('/probe/rows').expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', scope: 'api read_api' });
  });

  it("lets an endpoint's own scope open it and nothing else", async () => {
    const profile = await withScopes('read_user');
    await api(app.url, profile).get('/probe/profile').expect(200);
    await api(app.url, profile).get('/probe/rows').expect(403);
  });

  it('are looked at on public endpoints as well', async () => {
    await api(app.url, await withScopes('read_repository'))
      .get('/probe/public')
      .expect(403);
  });
});

describe('administration', () => {
  it('answers 401 without a token, 403 to others, and lets administrators in', async () => {
    const admin = await makeAdmin(app);
    const anonymous = await api(app.url).delete('/probe/rows').expect(401);
    const other = await api(app.url, token).delete('/probe/rows').expect(403);
    await admin.api.delete('/probe/rows').expect(200);
    expect([anonymous.body, other.body]).toEqual([UNAUTHORIZED, { message: '403 Forbidden' }]);
  });
});
