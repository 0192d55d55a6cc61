import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { Clock } from '../../src/core/clock.js';
import { MailLink } from '../../src/identity/account/mail-links.repository.js';
import { UserEmail } from '../../src/identity/users/user.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeAdmin, unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { linkIn, mailsTo, tokenIn } from '../support/mails.js';
import { signedIn } from '../support/page-client.js';
import { makePerson, newBrowser, PASSWORD, signIn } from '../support/sign-in.js';

const NEXT = 'walnut-ember-tide-77';

describe('a forgotten password', () => {
  const clock = new Clock();
  let offset = 0;
  clock.now = () => new Date(Date.now() + offset);
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startTestApp({
      override: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
  });
  afterAll(() => app.close());

  async function linkFor(email: string): Promise<string> {
    await newBrowser(app).post('/users/password', { email }).expect(303);
    const mails = await mailsTo(app, email);
    const [mail] = mails.slice(-1);
    return mail === undefined ? '' : linkIn(mail, app.url);
  }

  const set = (token: string, password = NEXT, again = password) =>
    newBrowser(app).post('/users/password/edit', {
      reset_password_token: token,
      password,
      password_confirmation: again,
    });

  it('is replaced by a link in a mail, which ends all sessions', async () => {
    const person = await makePerson(app, { failedAttempts: 10, lockedAt: new Date() });
    const pages = await signedIn(app, person);
    const link = await linkFor(person.email);
    expect(link).toMatch(/^\/users\/password\/edit\?reset_password_token=[\w-]{43}$/);
    const form = await newBrowser(app).get(link).expect(200);
    expect(form.headers['referrer-policy']).toBe('no-referrer');
    const response = await set(tokenIn(link));
    expect(response.status).toBe(303);
    expect(response.headers['location']).toBe('/users/sign_in');
    await pages.get('/api/v4/user').expect(401);
    expect((await signIn(app, person.username)).status).toBe(422);
    expect((await signIn(app, person.username, { password: NEXT })).status).toBe(303);
    const events = await app.dataSource.manager.findBy(AuditEvent, {
      targetType: 'User',
      targetId: person.id,
    });
    expect(events.map(({ action }) => action)).toContain('user_password_reset');
    const mails = await mailsTo(app, person.email);
    expect(mails.map(({ kind }) => kind)).toEqual(['password_reset', 'password_changed']);
  });

  it('names the account in the email, as text and as HTML', async () => {
    const person = await makePerson(app);
    const link = await linkFor(person.email);
    const [mail] = await mailsTo(app, person.email);
    expect(mail?.subject).toBe('Reset your password');
    const sentence = `Someone requested a password reset for @${person.username}.`;
    expect(mail?.text).toContain(`\n\n${sentence}\n\n`);
    expect(mail?.html).toContain(`>${sentence}</p>`);
    expect(mail?.html).toContain(`href="${app.url}${link}"`);
  });

  it('has the same response and duration for unknown addresses', async () => {
    const person = await makePerson(app);
    const answers = await Promise.all(
      [person.email, `${unique('nobody')}@example.com`, 'no address', ''].map(async (email) => {
        const begun = performance.now();
        const { status, headers } = await newBrowser(app).post('/users/password', { email });
        const isPatient = performance.now() - begun >= 295;
        return { status, location: headers['location'], isPatient };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({ status: 303, location: '/users/sign_in', isPatient: true });
  });

  it('goes to the address in the account, not to what was typed', async () => {
    const person = await makePerson(app);
    await newBrowser(app).post('/users/password', { email: person.email.toUpperCase() });
    expect(await mailsTo(app, person.email)).toHaveLength(1);
    expect(await mailsTo(app, person.email.toUpperCase())).toHaveLength(0);
  });

  it('takes a further address once it is confirmed', async () => {
    const person = await makePerson(app);
    const email = `${unique('second')}@example.com`;
    await app.dataSource.manager.insert(UserEmail, { userId: person.id, email });
    expect(await linkFor(email)).toBe('');
    await app.dataSource.manager.update(UserEmail, { email }, { confirmedAt: new Date() });
    expect(await linkFor(email)).not.toBe('');
  });

  it.each([
    ['blocked users', { state: 'blocked' }],
    ['users who wait for approval', { state: 'pending' }],
    ['addresses that are not confirmed', { confirmedAt: null }],
  ] as const)('sends nothing to %s', async (_, attributes) => {
    const person = await makePerson(app, attributes);
    expect(await linkFor(person.email)).toBe('');
  });

  it('sends one mail a minute at most, and only the last link works', async () => {
    const person = await makePerson(app);
    const first = await linkFor(person.email);
    await linkFor(person.email);
    expect(await mailsTo(app, person.email)).toHaveLength(1);
    offset = 61_000;
    const second = await linkFor(person.email);
    expect(second).not.toBe(first);
    expect((await set(tokenIn(first))).status).toBe(422);
    expect((await set(tokenIn(second))).status).toBe(303);
    offset = 0;
  });

  it('cannot be replaced by a link twice, or by many at once', async () => {
    const person = await makePerson(app);
    const token = tokenIn(await linkFor(person.email));
    const passwords = Array.from({ length: 5 }, (_, index) => `${NEXT}-${index}`);
    const answers = await Promise.all(passwords.map((password) => set(token, password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422, 422]);
    const again = await set(token);
    expect(textOf(again.text)).toContain('This link has expired or was already used.');
  });

  it('cannot be replaced by a link of yesterday, a made-up one or none', async () => {
    const person = await makePerson(app);
    const link = await linkFor(person.email);
    offset = 6 * 3_600_000 + 1_000;
    expect((await set(tokenIn(link))).status).toBe(422);
    await newBrowser(app).get(link).expect(422);
    offset = 0;
    expect((await set('x'.repeat(43))).status).toBe(422);
    expect((await set('')).status).toBe(422);
    await newBrowser(app).get('/users/password/edit').expect(422);
  });

  it('can no longer be replaced when the user was blocked meanwhile', async () => {
    const person = await makePerson(app);
    const admin = await makeAdmin(app);
    const token = tokenIn(await linkFor(person.email));
    await admin.api.post(`/users/${person.id}/block`).expect(201);
    await admin.api.post(`/users/${person.id}/unblock`).expect(201);
    expect((await set(token)).status).toBe(422);
    expect((await signIn(app, person.username)).status).toBe(303);
  });

  it('cannot be replaced by a link that went to an address they gave up', async () => {
    const person = await makePerson(app);
    const pages = await signedIn(app, person);
    const email = `${unique('second')}@example.com`;
    const { manager } = app.dataSource;
    await manager.insert(UserEmail, { userId: person.id, email, confirmedAt: new Date() });
    const { id } = await manager.findOneByOrFail(UserEmail, { email });
    const link = await linkFor(email);
    await newBrowser(app).get(link).expect(200);
    await pages.post(`/-/user_settings/emails/${id}/delete`).expect(303);
    await newBrowser(app).get(link).expect(422);
    expect((await set(tokenIn(link))).status).toBe(422);
    await pages.get('/api/v4/user').expect(200);
  });

  it('cannot be replaced by a link to an address that an administrator has changed', async () => {
    const person = await makePerson(app);
    const link = await linkFor(person.email);
    const admin = await signedIn(app, (await makeAdmin(app)).user);
    const email = `${unique('next')}@example.com`;
    await admin.post(`/admin/users/${person.id}`, { email }).expect(303);
    expect((await set(tokenIn(link))).status).toBe(422);
    expect((await signIn(app, email)).status).toBe(303);
  });

  it('is not replaced by a bad one, for which the link still works', async () => {
    const person = await makePerson(app);
    const token = tokenIn(await linkFor(person.email));
    const short = await set(token, 'short');
    expect(short.status).toBe(422);
    expect(textOf(short.text)).toContain('Password is too short (minimum is 8 characters).');
    const different = await set(token, NEXT, PASSWORD);
    expect(textOf(different.text)).toContain("doesn't match the password");
    const common = await set(token, 'Password123!');
    expect(textOf(common.text)).toContain('must not contain commonly used combinations');
    expect((await set(token)).status).toBe(303);
  });

  it('leaves nothing in the database that opens the account', async () => {
    const person = await makePerson(app);
    const token = tokenIn(await linkFor(person.email));
    const [link] = await app.dataSource.manager.findBy(MailLink, { userId: person.id });
    expect(link?.digest.toString('base64url')).not.toBe(token);
    const rows: unknown = await app.dataSource.query('SELECT * FROM outgoing_mails');
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
