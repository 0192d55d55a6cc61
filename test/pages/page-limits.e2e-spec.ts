import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import type { OwnTestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeToken, makeUser, type MadeUser } from '../support/factories.js';
import { signedIn, type PageClient } from '../support/page-client.js';
import { makeOwnedGroup } from '../support/project-factories.js';
import { FIXED_CLOCK, newAddress, startLimitedApp } from '../rate-limits/limited-app.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startLimitedApp(
    {
      search_rate_limit_unauthenticated: 2,
      throttle_unauthenticated_api_requests_per_period: 5,
      create_rate_limit: 2,
      token_creation_rate_limit: 2,
      sign_in_failures_per_address_limit: 2,
    },
    { env: { TRUST_PROXY: 'loopback' } },
  );
});
afterAll(() => app.close());

async function makeVisitor(): Promise<{ user: MadeUser; pages: PageClient }> {
  const user = await makeUser(app);
  const now = FIXED_CLOCK.now();
  const expiresAt = new Date(now.getTime() + 86_400_000);
  return { user, pages: await signedIn(app, user, { lastSeenAt: now, expiresAt }) };
}

async function statuses(count: number, send: () => Test): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push((await send()).status);
  return found;
}

describe('the limits of pages', () => {
  it('are shared with the API: what is made by either counts', async () => {
    const { pages, user } = await makeVisitor();
    const client = api(app.url, await makeToken(app, user));
    const make = (): Test => pages.post('/-/snippets/new', { title: '' });
    await client.post('/snippets', { title: 'One', file_name: 'a', content: 'b' }).expect(201);
    expect(await statuses(2, make)).toEqual([422, 429]);
    const { text, headers } = await make();
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(text).toContain('</html>');
  });

  it('hold for new access tokens', async () => {
    const { pages, user } = await makeVisitor();
    const group = await makeOwnedGroup(app, { user });
    const path = `/groups/${group.fullPath}/-/settings/access_tokens`;
    expect(await statuses(3, () => pages.post(path))).toEqual([422, 422, 429]);
  });

  it.each(['/-/user_settings/applications', '/-/user_settings/emails'])(
    'hold for what is made on %s',
    async (path) => {
      const { pages } = await makeVisitor();
      expect(await statuses(3, () => pages.post(path))).toEqual([422, 422, 429]);
    },
  );

  it("apply to passwords guessed in another user's session", async () => {
    const { pages } = await makeVisitor();
    const address = newAddress();
    const guess = (): Test =>
      pages
        .post('/-/user_settings/emails/1/primary', { current_password: 'wrong' })
        .set('X-Forwarded-For', address);
    expect(await statuses(3, guess)).toEqual([303, 303, 429]);
  });

  it('apply to anonymous page requests by IP address, and not to signed-in users', async () => {
    const { user, pages } = await makeVisitor();
    const address = newAddress();
    const read = (): Test =>
      request(app.url).get(`/${user.username}`).set('X-Forwarded-For', address);
    expect(await statuses(6, read)).toEqual([200, 200, 200, 200, 200, 429]);
    await request(app.url).get('/users/sign_in').set('X-Forwarded-For', address).expect(429);
    await request(app.url).get('/explore').set('X-Forwarded-For', newAddress()).expect(200);
    await pages.get(`/${user.username}`).set('X-Forwarded-For', address).expect(200);
  });

  it('hold for searches of strangers, by their address', async () => {
    const address = newAddress();
    const search = (): Test =>
      request(app.url).get('/explore?search=loom').set('X-Forwarded-For', address);
    expect(await statuses(3, search)).toEqual([200, 200, 429]);
    await request(app.url).get('/explore').set('X-Forwarded-For', address).expect(200);
  });
});
