import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeToken, makeUser } from '../support/factories.js';
import { makeProject } from '../support/project-factories.js';
import { changeSettings } from '../support/settings.js';

const DESCRIPTION = 'Token is an impersonation token but impersonation was disabled.';

let allowing: OwnTestApp;
let refusing: OwnTestApp;
beforeAll(async () => {
  [allowing, refusing] = await Promise.all([startTestApp(), startTestApp()]);
  await changeSettings(refusing, { impersonation_enabled: false });
});
afterAll(() => Promise.all([allowing.close(), refusing.close()]));

describe('an impersonation token', () => {
  it('acts as its user', async () => {
    const user = await makeUser(allowing);
    const token = await makeToken(allowing, user, { kind: 'impersonation' });
    const { body } = await api(allowing.url, token).get('/user').expect(200);
    expect(body).toMatchObject({ id: user.id });
  });

  it('is refused where impersonation is turned off, saying so', async () => {
    const user = await makeUser(refusing);
    const token = await makeToken(refusing, user, { kind: 'impersonation' });

    const response = await api(refusing.url, token).get('/user').expect(401);

    expect(response.body).toEqual({ error: 'invalid_token', error_description: DESCRIPTION });
    expect(response.headers['www-authenticate']).toBe(
      `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${DESCRIPTION}"`,
    );
  });

  it('lacks its scope first and is turned off second', async () => {
    const user = await makeUser(refusing);
    const token = await makeToken(refusing, user, {
      kind: 'impersonation',
      scopes: ['read_repository'],
    });
    await api(refusing.url, token).get('/user').expect(403);
  });

  it('is anonymous to Git where impersonation is disabled', async () => {
    const user = await makeUser(refusing);
    const { namespaceId } = user;
    const project = await makeProject(refusing, { namespaceId, files: { 'a.txt': 'a' } });
    const path = `/${project.fullPath}.git/info/refs?service=git-upload-pack`;
    const personal = await makeToken(refusing, user);
    const token = await makeToken(refusing, user, { kind: 'impersonation' });

    await request(refusing.url).get(path).auth('oauth2', personal).expect(200);
    await request(refusing.url).get(path).auth('oauth2', token).expect(401);
  });
});
