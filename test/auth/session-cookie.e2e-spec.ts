import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { credentialDigest } from '../../src/core/secrets.js';
import { CsrfTokens } from '../../src/core/access/csrf.js';
import { Clock } from '../../src/core/clock.js';
import { Session } from '../../src/identity/auth/sessions/sessions.repository.js';
import { User } from '../../src/identity/users/user.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { DAY_MS } from '../support/days.js';
import { eventually } from '../support/eventually.js';
import { makeToken, makeUser } from '../support/factories.js';
import { makeSession, makeVisitor, pageClient, signedIn } from '../support/page-client.js';
import { changeSettings } from '../support/settings.js';
import { ProbeModule } from './probe.module.js';

const API = '/api/v4';
const MINUTE_MS = 60_000;

let app: OwnTestApp;
/** Milliseconds that the server's clock is ahead. */
let ahead = 0;
const CLOCK: Clock = { now: () => new Date(Date.now() + ahead) };

beforeAll(async () => {
  app = await startTestApp({
    imports: [ProbeModule],
    override: (builder) => builder.overrideProvider(Clock).useValue(CLOCK),
  });
});
afterAll(() => app.close());
beforeEach(() => {
  ahead = 0;
});

/** Sends the cookie without the token of forms. */
function bare(method: 'post' | 'put' | 'patch' | 'delete', path: string, cookie: string) {
  return request(app.url)[method](`${API}${path}`).set('Cookie', `_svc_session=${cookie}`);
}

describe('the cookie of a session on the API', () => {
  it('acts as its user for reading', async () => {
    const { user, pages } = await makeVisitor(app);
    const { body } = await pages.get(`${API}/probe/rows`).expect(200);
    expect(body).toEqual({ viewer: user.id, impersonator: null });
    await request(app.url)
      .head(`${API}/user`)
      .set('Cookie', `other=1; _svc_session=${pages.cookie}`)
      .expect(200);
  });

  it('changes nothing without the token in X-CSRF-Token', async () => {
    const { pages } = await makeVisitor(app);
    const { body } = await bare('post', '/probe/rows', pages.cookie).expect(401);
    expect(body).toEqual({ message: '401 Unauthorized' });
    await bare('delete', '/probe/rows', pages.cookie).expect(401);
    for (const wrong of ['', 'x', pages.csrfToken.slice(1), `${pages.csrfToken}x`]) {
      await bare('post', '/probe/rows', pages.cookie).set('X-CSRF-Token', wrong).expect(401);
    }
  });

  it('changes something with the token', async () => {
    const { user, pages } = await makeVisitor(app);
    const { body } = await bare('post', '/probe/rows', pages.cookie)
      .set('X-CSRF-Token', pages.csrfToken)
      .expect(201);
    expect(body).toEqual({ viewer: user.id, impersonator: null });
  });

  it('takes no token of another session, nor one made with another key', async () => {
    const { user, pages } = await makeVisitor(app);
    const other = await signedIn(app, user);
    const foreign = new CsrfTokens('x'.repeat(40)).of(pages.cookie);
    for (const wrong of [other.csrfToken, foreign, pages.cookie]) {
      await bare('post', '/probe/rows', pages.cookie).set('X-CSRF-Token', wrong).expect(401);
    }
  });

  it('counts for administrators like a token with every scope, but not for sudo', async () => {
    const { pages } = await makeVisitor(app, { admin: true });
    const { user: john, pages: johns } = await makeVisitor(app);
    await bare('delete', '/probe/rows', pages.cookie)
      .set('X-CSRF-Token', pages.csrfToken)
      .expect(200);
    const { body } = await pages.get(`${API}/probe/rows?sudo=${john.id}`).expect(403);
    expect(body).toEqual({
      message:
        '403 Forbidden - Must be authenticated using an OAuth or personal access token to use sudo',
    });
    const refused = await johns.get(`${API}/probe/rows`).set('Sudo', 'root').expect(403);
    expect(refused.body).toEqual({ message: '403 Forbidden - Must be admin to use sudo' });
  });

  it('gives way to a token, even to an unknown one', async () => {
    const { pages } = await makeVisitor(app);
    const other = await makeUser(app);
    const token = await makeToken(app, other);
    const { body } = await pages.get(`${API}/probe/rows`).set('PRIVATE-TOKEN', token).expect(200);
    expect(body).toEqual({ viewer: other.id, impersonator: null });
    await pages.get(`${API}/probe/public`).set('PRIVATE-TOKEN', 'svcpat-unknown').expect(401);
  });

  it('is anonymous when it is unknown, blank or of a browser that is not signed in', async () => {
    for (const value of ['unknown', '', 'anonymous.x', '%00', '"']) {
      const header = `_svc_session=${value}`;
      const { body } = await request(app.url)
        .get(`${API}/probe/public`)
        .set('Cookie', header)
        .expect(200);
      expect(body).toEqual({ viewer: null, impersonator: null });
      await request(app.url).get(`${API}/probe/rows`).set('Cookie', header).expect(401);
    }
  });

  it('cannot be made from what the database holds', async () => {
    const { pages } = await makeVisitor(app);
    const digest = credentialDigest(pages.cookie);
    const { cookie } = pages;
    expect(cookie).toMatch(/^[\w-]{43}$/);
    for (const stolen of [digest.toString('hex'), digest.toString('base64url')]) {
      await pageClient(app, stolen).get(`${API}/user`).expect(401);
    }
  });

  it('opens no repository over Git', async () => {
    const { pages } = await makeVisitor(app);
    await pages.get('/some/project.git/info/refs?service=git-upload-pack').expect(401);
  });
});

describe('the end of a session', () => {
  it('comes when it was not used for a while, and is put off by use', async () => {
    await changeSettings(app, { session_expire_delay: 30 });
    const { user, pages } = await makeVisitor(app);
    ahead = 29 * MINUTE_MS;
    await pages.get(`${API}/user`).expect(200);
    await eventually(async () => {
      const where = { userId: user.id };
      const { lastSeenAt } = await app.dataSource.manager.findOneByOrFail(Session, where);
      return lastSeenAt.getTime() > Date.now() + 28 * MINUTE_MS;
    });
    ahead = 58 * MINUTE_MS;
    await pages.get(`${API}/user`).expect(200);
    ahead = 90 * MINUTE_MS;
    await pages.get(`${API}/user`).expect(401);
    await pages.get('/-/user_settings/profile').expect(302).expect('Location', '/users/sign_in');
  });

  it('comes later when the browser is remembered', async () => {
    await changeSettings(app, { session_expire_delay: 30, remember_me_days: 14 });
    const user = await makeUser(app);
    const expiresAt = new Date(Date.now() + 60 * DAY_MS);
    const pages = await signedIn(app, user, { remembered: true, expiresAt });
    ahead = 13 * DAY_MS;
    await pages.get(`${API}/user`).expect(200);
    ahead = 28 * DAY_MS;
    await pages.get(`${API}/user`).expect(401);
  });

  it('comes at the latest on the day that was set when it began, however busy it is', async () => {
    const { user, pages } = await makeVisitor(app);
    ahead = DAY_MS + MINUTE_MS;
    await app.dataSource.manager.update(Session, { userId: user.id }, { lastSeenAt: CLOCK.now() });
    await pages.get(`${API}/user`).expect(401);
  });

  it.each([
    ['the password is changed', { passwordDigest: 'another' }],
    ['the user is blocked', { state: 'blocked' }],
    ['the user is banned', { state: 'banned' }],
    ['the user is deactivated', { state: 'deactivated' }],
    ['the user becomes an administrator', { admin: true }],
  ] as const)('comes when %s', async (_, change) => {
    const { user, pages } = await makeVisitor(app);
    const { pages: others } = await makeVisitor(app);
    await makeSession(app, user, { remembered: true });
    await pages.get(`${API}/user`).expect(200);
    await app.dataSource.manager.update(User, { id: user.id }, change);
    await pages.get(`${API}/user`).expect(401);
    await others.get(`${API}/user`).expect(200);
    const undo = { state: 'active', admin: false } as const;
    await app.dataSource.manager.update(User, { id: user.id }, undo);
    await pages.get(`${API}/user`).expect(401);
    expect(await app.dataSource.manager.countBy(Session, { userId: user.id })).toBe(0);
  });

  it('does not come with other changes of the user', async () => {
    const { user, pages } = await makeVisitor(app);
    const change = { name: 'Another', external: true, lastActivityOn: '2026-01-01' };
    await app.dataSource.manager.update(User, { id: user.id }, change);
    await pages.get(`${API}/user`).expect(200);
  });
});

describe('cookie attributes', () => {
  /** Cookies that an anonymous request for a page of signed-in users sets. */
  async function cookiesOf(url: string): Promise<string[]> {
    const { headers } = await request(url).get('/-/user_settings/profile').expect(302);
    return headers['set-cookie'] as unknown as string[];
  }

  it('hides them from scripts and from forms of other sites', async () => {
    const cookies = await cookiesOf(app.url);
    expect(cookies.map((cookie) => cookie.split('=')[0]).sort()).toEqual([
      '_svc_return_to',
      '_svc_session',
    ]);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(cookie).not.toMatch(/Secure|Domain/);
    }
  });

  it('keeps them off plain HTTP when the site has HTTPS', async () => {
    const secure = await startTestApp({ env: { BASE_URL: 'https://guildhall.example.com' } });
    try {
      const cookies = await cookiesOf(secure.url);
      expect(cookies).toHaveLength(2);
      for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    } finally {
      await secure.close();
    }
  });
});
