import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { OAuthApplication } from '../../src/oauth/oauth-application.entity.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ended } from '../support/command.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { makeApplication } from '../support/oauth-factories.js';
import { signedIn } from '../support/page-client.js';
import { approve } from './consent.js';

let app: TestApp;
let user: MadeUser;
const running: ChildProcess[] = [];
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app);
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill();
    await ended(child);
  }
});
afterAll(() => app.close());

/** Starts the sample as its README says, on a free port; answers its address. */
async function startSample(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, ['examples/sample-client/server.js'], {
    env: { PATH: process.env['PATH'], ISSUER: app.url, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  running.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const [url] = /http:\S+/.exec(line) ?? [];
  if (url === undefined) throw new Error(`the sample says: ${line}`);
  return url;
}

/** Like a browser on the sample: remembers its cookie. */
class Browser {
  private cookie = '';

  constructor(private readonly url: string) {}

  get(path: string): Promise<{ status: number; text: string; location: string }> {
    return this.send(request(this.url).get(path));
  }

  post(path: string): Promise<{ status: number; text: string; location: string }> {
    return this.send(request(this.url).post(path));
  }

  private async send(test: Test) {
    const { status, text, headers } = await test.set('Cookie', this.cookie);
    const [cookie] = (headers['set-cookie'] as unknown as string[] | undefined) ?? [];
    this.cookie = cookie?.split(';')[0] ?? this.cookie;
    return { status, text, location: headers['location'] ?? '' };
  }
}

async function signInTo(sample: string): Promise<Browser> {
  const browser = new Browser(sample);
  const { location } = await browser.get('/login');
  const pages = await signedIn(app, user);
  const { callback } = await approve(pages, new URL(location));
  expect(callback.origin).toBe(sample);
  expect(await browser.get(callback.pathname + callback.search)).toMatchObject({ location: '/' });
  return browser;
}

/** A sample that is registered with the address at which it runs, as its README says. */
async function startRegistered({ confidential }: { confidential: boolean }): Promise<string> {
  const scopes = ['openid', 'email', 'read_user'];
  const { id, uid, secret } = await makeApplication(app, { scopes, confidential });
  const credentials = confidential ? { CLIENT_SECRET: secret } : {};
  const sample = await startSample({ CLIENT_ID: uid, ...credentials });
  const redirectUris = [`${sample}/callback`];
  await app.dataSource.manager.update(OAuthApplication, { id }, { redirectUris });
  return sample;
}

describe('the sample client', () => {
  it.each([true, false])(
    'signs in, calls the API, refreshes, is revoked and then refused (confidential: %s)',
    async (confidential) => {
      const sample = await startRegistered({ confidential });
      expect((await new Browser(sample).get('/')).text).toContain('Nobody is signed in');
      const browser = await signInTo(sample);
      const { text } = await browser.get('/');
      expect(text).toContain(`Signed in as ${user.name}`);
      expect(text).toContain(user.email);
      expect(text).toContain(`200 ${user.username}`);
      await browser.post('/refresh');
      expect((await browser.get('/')).text).toContain(`200 ${user.username}`);
      await browser.post('/revoke');
      const refused = await browser.get('/');
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('GET /api/v4/user answers 401');
    },
  );

  it('refuses a way back that its browser has not asked for', async () => {
    const sample = await startRegistered({ confidential: true });
    const { location } = await new Browser(sample).get('/login');
    const { callback } = await approve(await signedIn(app, user), new URL(location));
    const victim = new Browser(sample);
    const path = callback.pathname + callback.search;
    expect((await victim.get(path)).text).toContain('has not asked to sign in');
    await victim.get('/login');
    expect((await victim.get(path)).status).toBe(403);
  });
});
