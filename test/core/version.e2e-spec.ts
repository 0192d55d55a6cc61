import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeToken, makeUser } from '../support/factories.js';

const KAS = { enabled: false, externalUrl: null, externalK8sProxyUrl: null, version: null };

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('GET /version and GET /metadata', () => {
  it('return the package version', async () => {
    const { api: client } = await makeActor(app);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const expected = { version, revision: 'Unknown', kas: KAS, enterprise: false };
    expect((await client.get('/version').expect(200)).body).toEqual(expected);
    expect((await client.get('/metadata').expect(200)).body).toEqual(expected);
  });

  it('are open to read_user, but not anonymously', async () => {
    const token = await makeToken(app, await makeUser(app), { scopes: ['read_user'] });
    await api(app.url, token).get('/version').expect(200);
    const { body } = await api(app.url).get('/version').expect(401);
    expect(body).toEqual({ message: '401 Unauthorized' });
  });

  it('return the configured version', async () => {
    const other = await startTestApp({ env: { REPORTED_VERSION: '18.4.0' } });
    const { api: client } = await makeActor(other);
    const { body } = await client.get('/version').expect(200);
    await other.close();
    expect(body).toMatchObject({ version: '18.4.0' });
  });
});
