import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { credentialDigest } from '../../src/core/secrets.js';
import { Session } from '../../src/identity/auth/sessions/sessions.repository.js';
import { User, UserEmail } from '../../src/identity/users/user.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeSession, pageClient } from '../support/page-client.js';
import { changeSettings } from '../support/settings.js';
import {
  cookieLines,
  makePerson,
  newBrowser,
  PASSWORD,
  sessionValue,
  signIn,
} from '../support/sign-in.js';

const REFUSAL = 'Invalid login or password.';

describe('signing in', () => {
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  const row = (id: number): Promise<User> => app.dataSource.manager.findOneByOrFail(User, { id });

  it('shows a form whose token belongs to the cookie that it sets', async () => {
    const response = await request(app.url).get('/users/sign_in').expect(200);
    expect(textOf(response.text)).toContain('Sign in');
    const value = sessionValue(response);
    const token = /name="authenticity_token" value="([^"]+)"/.exec(response.text)?.[1] ?? '';
    const refused = await request(app.url)
      .post('/users/sign_in')
      .set('Cookie', `_svc_session=${value}`)
      .type('form')
      .send({ 'user[login]': 'nobody', 'user[password]': 'wrong', authenticity_token: token })
      .expect(422);
    expect(refused.text).toContain('name="user[login]"');
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('begins a session with a new cookie and notes when and where', async () => {
    const person = await makePerson(app);
    const response = await signIn(app, person.username);
    expect(response.status).toBe(303);
    expect(response.headers['location']).toBe('/');
    expect(cookieLines(response)).toEqual([
      expect.stringMatching(/^_svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const digest = credentialDigest(sessionValue(response));
    const session = await app.dataSource.manager.findOneByOrFail(Session, { digest });
    expect(session).toMatchObject({ userId: person.id, remembered: false, ip: '127.0.0.1' });
    expect(await row(person.id)).toMatchObject({
      signInCount: 1,
      currentSignInAt: expect.any(Date),
      currentSignInIp: '127.0.0.1',
      lastSignInAt: null,
      failedAttempts: 0,
    });
    const [event] = await app.dataSource.manager.findBy(AuditEvent, { authorId: person.id });
    expect(event).toMatchObject({ action: 'user_signed_in', targetId: person.id });
  });

  it('keeps the sign-in before as the last one', async () => {
    const person = await makePerson(app);
    await signIn(app, person.username);
    const first = await row(person.id);
    await signIn(app, person.username);
    expect(await row(person.id)).toMatchObject({
      signInCount: 2,
      lastSignInAt: first.currentSignInAt,
      lastSignInIp: '127.0.0.1',
    });
  });

  it.each([
    ['the username in another case', (p: { username: string }) => p.username.toUpperCase()],
    ['the e-mail address', (p: { email: string }) => p.email],
    ['the e-mail address in another case', (p: { email: string }) => p.email.toUpperCase()],
    ['blanks around it', (p: { username: string }) => ` ${p.username} `],
  ])('takes %s', async (_, loginOf) => {
    const person = await makePerson(app);
    expect((await signIn(app, loginOf(person))).status).toBe(303);
  });

  it('takes a further address of the user once it is confirmed', async () => {
    const person = await makePerson(app);
    const email = `${unique('second')}@example.com`;
    await app.dataSource.manager.insert(UserEmail, { userId: person.id, email });
    expect((await signIn(app, email)).status).toBe(422);
    await app.dataSource.manager.update(UserEmail, { email }, { confirmedAt: new Date() });
    expect((await signIn(app, email)).status).toBe(303);
  });

  it.each([
    ['a wrong password', { password: 'wrong-orbit-kettle-42' }],
    ['no password', { password: '' }],
    ['a password of a million characters', { password: 'x'.repeat(1_000_000) }],
  ])('refuses %s and says no more than that', async (_, given) => {
    const person = await makePerson(app);
    const response = await signIn(app, person.username, given);
    expect(response.status).toBe(422);
    expect(textOf(response.text)).toContain(REFUSAL);
    expect(cookieLines(response)).toEqual([]);
    expect(response.text).toContain(`value="${person.username}"`);
    expect(response.text).not.toContain('wrong-orbit');
  });

  it('refuses unknown logins, and users without a password, with the same page', async () => {
    const known = await makePerson(app);
    const bare = await makePerson(app, { passwordDigest: null });
    const browser = newBrowser(app);
    const pages: string[] = [];
    for (const login of [known.username, unique('nobody'), bare.username, 'x'.repeat(300)]) {
      const form = { 'user[login]': login, 'user[password]': 'not-this-one-42' };
      const { status, text } = await browser.post('/users/sign_in', form);
      expect(status).toBe(422);
      pages.push(text.replaceAll(/id="user_login"[^>]*|value="[^"]*"/g, ''));
    }
    expect(new Set(pages).size).toBe(1);
  });

  it.each([
    ['lists', { 'user[login][]': 'root', 'user[password][]': PASSWORD }],
    ['hashes', { 'user[login][a]': 'root', 'user[password][b]': PASSWORD }],
    ['a list of users', { 'user[][login]': 'root' }],
    ['a text in place of the hash', { user: 'root' }],
    ['nothing', {}],
  ])('refuses %s', async (_, form) => {
    const response = await newBrowser(app).post('/users/sign_in', form);
    expect(response.status).toBe(422);
    expect(textOf(response.text)).toContain(REFUSAL);
  });

  it.each([
    ['blocked', 'Your account has been blocked.'],
    ['banned', 'Your account has been blocked.'],
    ['pending', 'Your account is pending approval from your administrator and hence blocked.'],
  ] as const)('tells %s users why, if they know the password', async (state, text) => {
    const person = await makePerson(app, { state });
    const wrong = await signIn(app, person.username, { password: 'not-this-one-42' });
    expect(textOf(wrong.text)).toContain(REFUSAL);
    const right = await signIn(app, person.username);
    expect(right.status).toBe(422);
    expect(textOf(right.text)).toContain(text);
    expect(await app.dataSource.manager.countBy(Session, { userId: person.id })).toBe(0);
  });

  it('brings deactivated users back', async () => {
    const person = await makePerson(app, { state: 'deactivated' });
    const response = await signIn(app, person.username);
    expect(response.status).toBe(303);
    expect((await row(person.id)).state).toBe('active');
    const pages = pageClient(app, sessionValue(response));
    await pages.get('/api/v4/user').expect(200);
  });

  it('refuses users whose address is not confirmed, and offers another mail', async () => {
    const person = await makePerson(app, { confirmedAt: null });
    const response = await signIn(app, person.username);
    expect(response.status).toBe(422);
    expect(textOf(response.text)).toContain('You have to confirm your email address');
    expect(response.text).toContain('href="/users/confirmation/new"');
    await changeSettings(app, { email_confirmation_setting: 'soft' });
    expect((await signIn(app, person.username)).status).toBe(303);
    await changeSettings(app, { email_confirmation_setting: 'hard' });
  });

  it('keeps the cookie of who wants to be remembered, unless that is turned off', async () => {
    const person = await makePerson(app);
    const remembered = await signIn(app, person.username, { remember: '1' });
    expect(cookieLines(remembered)[0]).toContain('Max-Age=7776000');
    await changeSettings(app, { remember_me_enabled: false });
    const forgotten = await signIn(app, person.username, { remember: '1' });
    expect(cookieLines(forgotten)[0]).not.toContain('Max-Age');
    const form = await newBrowser(app).get('/users/sign_in');
    expect(form.text).not.toContain('remember_me');
    await changeSettings(app, { remember_me_enabled: true });
  });

  it('gives another value than any that the browser had before', async () => {
    const person = await makePerson(app);
    const planted = newBrowser(app);
    const form = { 'user[login]': person.username, 'user[password]': PASSWORD };
    const response = await planted.post('/users/sign_in', form);
    expect(sessionValue(response)).not.toBe(planted.cookie);
    await planted.get('/api/v4/user').expect(401);
  });

  it('ends the session that the browser had', async () => {
    const [first, second] = [await makePerson(app), await makePerson(app)];
    const before = pageClient(app, await makeSession(app, first));
    const form = { 'user[login]': second.username, 'user[password]': PASSWORD };
    await before.post('/users/sign_in', form).expect(303);
    await before.get('/api/v4/user').expect(401);
  });

  it("refuses a form without the browser's CSRF token", async () => {
    const person = await makePerson(app);
    const form = { 'user[login]': person.username, 'user[password]': PASSWORD };
    const bare = await request(app.url).post('/users/sign_in').type('form').send(form);
    expect(bare.status).toBe(422);
    expect(cookieLines(bare).join()).not.toMatch(/_svc_session=(?!anonymous)/);
    const browser = newBrowser(app);
    const foreign = { ...form, authenticity_token: newBrowser(app).csrfToken };
    await request(app.url)
      .post('/users/sign_in')
      .set('Cookie', `_svc_session=${browser.cookie}`)
      .type('form')
      .send(foreign)
      .expect(422);
  });

  it('leads on who is signed in already', async () => {
    const person = await makePerson(app);
    const pages = pageClient(app, await makeSession(app, person));
    const response = await pages.get('/users/sign_in?return_to=%2Fadmin');
    expect(response.status).toBe(303);
    expect(response.headers['location']).toBe('/admin');
  });
});

describe('after signing in', () => {
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  async function locationAfter(returnTo: string): Promise<string> {
    const person = await makePerson(app);
    const path = `/users/sign_in?return_to=${encodeURIComponent(returnTo)}`;
    const form = { 'user[login]': person.username, 'user[password]': PASSWORD };
    const response = await newBrowser(app).post(path, form);
    expect(response.status).toBe(303);
    return response.headers['location'] ?? '';
  }

  it('leads back to the page that was asked for', async () => {
    const person = await makePerson(app);
    const browser = newBrowser(app);
    const asked = await browser.get('/-/user_settings/active_sessions?page=2').expect(302);
    expect(asked.headers['location']).toBe('/users/sign_in');
    const [line = ''] = cookieLines(asked, '_svc_return_to');
    const response = await request(app.url)
      .post('/users/sign_in')
      .set('Cookie', `_svc_session=${browser.cookie}; ${line.split(';')[0] ?? ''}`)
      .type('form')
      .send({
        authenticity_token: browser.csrfToken,
        'user[login]': person.username,
        'user[password]': PASSWORD,
      });
    expect(response.status).toBe(303);
    expect(response.headers['location']).toBe('/-/user_settings/active_sessions?page=2');
    expect(cookieLines(response, '_svc_return_to')[0]).toContain('Max-Age=0');
  });

  it('keeps a path that is given in the address, also when the first password is wrong', async () => {
    expect(await locationAfter('/oauth/authorize?client_id=1&state=a%20b')).toBe(
      '/oauth/authorize?client_id=1&state=a%20b',
    );
    const wrong = await newBrowser(app).post('/users/sign_in?return_to=%2Fadmin%3Fa%3D1', {});
    expect(wrong.text).toContain('action="/users/sign_in?return_to=%2Fadmin%3Fa%3D1"');
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\/evil.example',
    '/\t/evil.example',
    '/%09/../..//evil.example\r\nX: y',
    'javascript:alert(1)',
    ' /x',
    '',
  ])('never leads to %p', async (path) => {
    const location = await locationAfter(path);
    expect(new URL(location, app.url).origin).toBe(app.url);
    expect(location).toBe('/');
  });

  it('lets the form end at the application that waits for its user, and nowhere else', async () => {
    const policyOf = async (returnTo: string): Promise<string> => {
      const path = `/users/sign_in?return_to=${encodeURIComponent(returnTo)}`;
      const response = await newBrowser(app).get(path);
      const policy = response.headers['content-security-policy'] ?? '';
      return /form-action [^;]*/.exec(policy)?.[0] ?? '';
    };
    const uri = encodeURIComponent('https://client.example/callback?a=1;b');
    expect(await policyOf(`/oauth/authorize?redirect_uri=${uri}`)).toBe(
      "form-action 'self' https://client.example",
    );
    expect(await policyOf('/oauth/authorize?redirect_uri=javascript:alert(1)')).toBe(
      "form-action 'self'",
    );
    expect(await policyOf(`/admin?redirect_uri=${uri}`)).toBe("form-action 'self'");
  });
});
