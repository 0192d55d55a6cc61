import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { newAnonymousValue } from '../../src/identity/auth/sessions/session-cookies.js';
import { CsrfTokens } from '../../src/core/access/csrf.js';
import { hashPassword } from '../../src/core/passwords.js';
import { Session } from '../../src/identity/auth/sessions/sessions.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import { makeSession, makeVisitor, pageClient } from '../support/page-client.js';
import { sitePaths } from '../support/site-routes.js';

const SIGN_IN = '/users/sign_in';
const PASSWORD = 'correct horse battery staple';

/** For programs, which present credentials of their own: no cookie is looked at. */
const WITHOUT_COOKIE = [
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/userinfo',
  '/-/sent_notifications/1/unsubscribe',
];

let app: TestApp;
let person: MadeUser;
beforeAll(async () => {
  app = await sharedTestApp();
  person = await makeUser(app, { passwordDigest: await hashPassword(PASSWORD) });
});

/** Value of the session's cookie that the answer sets, or null. */
function cookieIn({ headers }: { headers: Record<string, unknown> }): string | null {
  const cookies = (headers['set-cookie'] ?? []) as string[];
  const values = cookies.map((cookie) => /^_svc_session=([^;]*)/.exec(cookie)?.[1] ?? null);
  return values.find((value) => value !== null) ?? null;
}

function tokenOf(cookie: string): string {
  return new CsrfTokens(app.config.secretKey).of(cookie);
}

/** Sends the sign-in form with this cookie and token. */
function signIn(cookie: string | null, token: string): request.Test {
  const form = new URLSearchParams({
    authenticity_token: token,
    'user[login]': person.username,
    'user[password]': PASSWORD,
  });
  const test = request(app.url).post(SIGN_IN).type('form').send(form.toString());
  return cookie === null ? test : test.set('Cookie', `_svc_session=${cookie}`);
}

describe('every form', () => {
  it("is refused without the session's CSRF token", async () => {
    const paths = sitePaths(app, 'post').filter((path) => !WITHOUT_COOKIE.includes(path));
    const { pages } = await makeVisitor(app, { admin: true });
    expect(paths).toEqual(
      expect.arrayContaining([
        SIGN_IN,
        '/users/sign_out',
        '/-/user_settings/password',
        '/-/user_settings/personal_access_tokens',
        '/-/user_settings/emails/1/primary',
      ]),
    );
    const answers = await Promise.all(
      paths.map(async (path) => {
        const { status } = await request(app.url)
          .post(path)
          .set('Cookie', `_svc_session=${pages.cookie}`)
          .type('form')
          .send('name=forged');
        return `${path}: ${status}`;
      }),
    );
    expect(answers).toEqual(paths.map((path) => `${path}: 422`));
    await pages.get('/api/v4/user').expect(200);
  });

  it('leaves the cookie alone that the browser has and other sites cannot send', async () => {
    const { headers } = await request(app.url).post('/users/sign_out').expect(422);
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('is no way around the credentials of programs', async () => {
    const { pages } = await makeVisitor(app);
    for (const path of WITHOUT_COOKIE) {
      const { status } = await pages.post(path);
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
  });

  it.each(['none', 'of another session', 'in the address', 'in a list', 'in JSON of others'])(
    'is refused with a token that is %s',
    async (kind) => {
      const { pages } = await makeVisitor(app);
      const { pages: other } = await makeVisitor(app);
      const path = '/-/user_settings/active_sessions/revoke_others';
      const send = (address: string, body: string) =>
        request(app.url)
          .post(address)
          .set('Cookie', `_svc_session=${pages.cookie}`)
          .type('form')
          .send(body);
      const attempts: Record<string, request.Test> = {
        none: send(path, ''),
        'of another session': send(path, `authenticity_token=${other.csrfToken}`),
        'in the address': send(`${path}?authenticity_token=${pages.csrfToken}`, ''),
        'in a list': send(path, `authenticity_token[]=${pages.csrfToken}`),
        'in JSON of others': request(app.url)
          .post(path)
          .set('Cookie', `_svc_session=${pages.cookie}`)
          .send({ authenticity_token: other.csrfToken }),
      };
      const { status, text, headers } = await (attempts[kind] as request.Test);
      expect(status).toBe(422);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(text).not.toContain(pages.csrfToken);
    },
  );
});

describe('signing in', () => {
  it('needs the token of the browser that saw the form', async () => {
    const shown = await request(app.url).get(SIGN_IN).expect(200);
    const cookie = cookieIn(shown) ?? '';
    const token = /name="authenticity_token" value="([^"]+)"/.exec(shown.text)?.[1] ?? '';
    expect(token).toMatch(/^[\w-]{86}$/);
    expect(token).not.toBe(tokenOf(cookie));
    await signIn(null, token).expect(422);
    await signIn(newAnonymousValue(), token).expect(422);
    await signIn('', tokenOf('')).expect(422);
    await signIn(cookie, token).expect(303);
  });

  it('gives the browser another cookie than it had, which alone is a session', async () => {
    const before = newAnonymousValue();
    const answer = await signIn(before, tokenOf(before)).expect(303);
    const after = cookieIn(answer) ?? '';
    expect(after).toMatch(/^[\w-]{43}$/);
    expect(after).not.toBe(before);
    await pageClient(app, before).get('/api/v4/user').expect(401);
    await pageClient(app, after).get('/api/v4/user').expect(200);
  });

  it('accepts no cookie chosen by someone else', async () => {
    const chosen = 'A'.repeat(43);
    const { headers } = await request(app.url)
      .get(SIGN_IN)
      .set('Cookie', `_svc_session=${chosen}`)
      .expect(200);
    expect(cookieIn({ headers })).toMatch(/^anonymous\./);
    const cookie = cookieIn(await signIn(chosen, tokenOf(chosen)));
    expect(cookie).not.toBe(chosen);
    await pageClient(app, chosen).get('/api/v4/user').expect(401);
  });

  it('ends the session that the browser had, and its token', async () => {
    const former = await makeSession(app, person);
    const answer = await signIn(former, tokenOf(former)).expect(303);
    const next = cookieIn(answer) ?? '';
    expect(tokenOf(next)).not.toBe(tokenOf(former));
    await pageClient(app, former).get('/api/v4/user').expect(401);
    await pageClient(app, next).get('/api/v4/user').expect(200);
    expect(await app.dataSource.manager.countBy(Session, { userId: person.id })).toBeGreaterThan(0);
  });
});

describe('frames', () => {
  it('hold no page of the site', async () => {
    const { pages } = await makeVisitor(app, { admin: true });
    const paths = sitePaths(app, 'get').filter((path) => !path.includes('/1'));
    const open: string[] = [];
    for (const path of paths) {
      const { headers } = await pages.get(path);
      const isPage = String(headers['content-type']).startsWith('text/html');
      const policy = String(headers['content-security-policy']);
      if (isPage && !policy.includes("frame-ancestors 'none'")) open.push(path);
    }
    expect(open).toEqual([]);
    expect(paths).toContain('/-/user_settings/profile');
  });
});
