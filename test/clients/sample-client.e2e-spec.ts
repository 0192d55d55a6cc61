import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { signedIn } from '../support/page-client.js';
import { startSampleClient, type SampleClient } from '../support/sample-client.js';
import { approve } from './consent.js';

let app: OwnTestApp;
let user: MadeUser;
const running: SampleClient[] = [];
beforeAll(async () => {
  app = await startTestApp();
  user = await makeUser(app);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((sample) => sample.close()));
});
afterAll(() => app.close());

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

async function start(confidential: boolean): Promise<string> {
  const sample = await startSampleClient(app, { confidential });
  running.push(sample);
  return sample.url;
}

describe('the sample client', () => {
  it.each([true, false])(
    'signs in, calls the API, refreshes, is revoked and then refused (confidential: %s)',
    async (confidential) => {
      const sample = await start(confidential);
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
    const sample = await start(true);
    const { location } = await new Browser(sample).get('/login');
    const { callback } = await approve(await signedIn(app, user), new URL(location));
    const victim = new Browser(sample);
    const path = callback.pathname + callback.search;
    expect((await victim.get(path)).text).toContain('has not asked to sign in');
    await victim.get('/login');
    expect((await victim.get(path)).status).toBe(403);
  });
});
