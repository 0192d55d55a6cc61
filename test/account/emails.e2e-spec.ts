import { beforeAll, describe, expect, it } from '@jest/globals';
import { hashPassword } from '../../src/core/passwords.js';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { MailLink } from '../../src/identity/account/mail-links.repository.js';
import { UserEmail } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeToken, makeUser, unique } from '../support/factories.js';
import { api } from '../support/api-client.js';
import { textOf } from '../support/html.js';
import { follow, makeVisitor } from '../support/page-client.js';

const PATH = '/-/user_settings/emails';
const PASSWORD = 'correct horse battery staple';

let app: TestApp;
let passwordDigest: string;
beforeAll(async () => {
  app = await sharedTestApp();
  passwordDigest = await hashPassword(PASSWORD);
});

function newAddress(): string {
  return `${unique('further')}@example.com`;
}

async function makeEmail(
  user: { id: number },
  attributes: Partial<UserEmail> = {},
): Promise<UserEmail> {
  const { manager } = app.dataSource;
  const values = { email: newAddress(), confirmedAt: new Date(), ...attributes, userId: user.id };
  const { identifiers } = await manager.insert(UserEmail, values);
  return manager.findOneByOrFail(UserEmail, { id: (identifiers[0] as { id: number }).id });
}

function emailsOf(user: { id: number }): Promise<UserEmail[]> {
  return app.dataSource.manager.find(UserEmail, {
    where: { userId: user.id },
    order: { id: 'ASC' },
  });
}

function mailsTo(recipient: string): Promise<OutgoingMail[]> {
  return app.dataSource.manager.findBy(OutgoingMail, { recipient });
}

async function actionsOn(user: { id: number }): Promise<string[]> {
  const where = { entityType: 'User', entityId: user.id };
  const events = await app.dataSource.manager.find(AuditEvent, { where, order: { id: 'ASC' } });
  return events.map(({ action }) => action);
}

describe('GET, POST and DELETE /user/emails', () => {
  it('adds an address, which waits for its confirmation', async () => {
    const { user, api: client } = await makeActor(app);
    const email = newAddress();
    const { body } = await client.post('/user/emails', { email }).expect(201);
    expect(body).toEqual({ id: expect.any(Number), email, confirmed_at: null });
    expect(await mailsTo(email)).toMatchObject([{ kind: 'email_confirmation', state: 'queued' }]);
    const links = await app.dataSource.manager.findBy(MailLink, { userId: user.id });
    expect(links).toMatchObject([{ purpose: 'confirm_email', email }]);
    expect(await actionsOn(user)).toEqual(['email_added']);
  });

  it('lists and shows the further addresses of the viewer, in order', async () => {
    const { user, api: client } = await makeActor(app);
    await makeEmail(await makeUser(app));
    const [first, second] = [await makeEmail(user), await makeEmail(user, { confirmedAt: null })];
    const { body, headers } = await client.get('/user/emails?per_page=1&page=2').expect(200);
    expect(body).toEqual([{ id: second.id, email: second.email, confirmed_at: null }]);
    expect(headers).toMatchObject({ 'x-total': '2', 'x-prev-page': '1' });
    const shown = await client.get(`/user/emails/${first.id}`).expect(200);
    expect(shown.body).toEqual({
      id: first.id,
      email: first.email,
      confirmed_at: first.confirmedAt?.toISOString(),
    });
  });

  it('removes an address, from the profile too', async () => {
    const { user, api: client } = await makeActor(app);
    const { id, email } = await makeEmail(user);
    await app.dataSource.query('UPDATE users SET public_email = $2 WHERE id = $1', [
      user.id,
      email,
    ]);
    await client.delete(`/user/emails/${id}`).expect(204);
    expect(await emailsOf(user)).toEqual([]);
    expect((await client.get('/user').expect(200)).body).toMatchObject({ public_email: '' });
    expect(await actionsOn(user)).toEqual(['email_removed']);
  });

  it('knows no addresses of others', async () => {
    const { api: client } = await makeActor(app, { admin: true });
    const other = await makeUser(app);
    const { id } = await makeEmail(other);
    const { body } = await client.get(`/user/emails/${id}`).expect(404);
    expect(body).toEqual({ message: '404 Email Not Found' });
    await client.delete(`/user/emails/${id}`).expect(404);
    expect(await emailsOf(other)).toHaveLength(1);
  });

  it.each([
    ['no address', ['is invalid']],
    ['a@b@example.com', ['is invalid']],
    ['a@example.com\r\nBcc: b@example.com', ['is invalid']],
    ['a@example.com,b@example.com', ['is invalid']],
    ['a\u0001@example.com', ['is invalid']],
    ['a(b)@example.com', ['is invalid']],
  ])('refuses %j', async (email, messages) => {
    const { api: client } = await makeActor(app);
    const { body } = await client.post('/user/emails', { email }).expect(400);
    expect(body).toEqual({ message: { email: messages } });
  });

  it('refuses an address that the viewer has already, in any case', async () => {
    const { user, api: client } = await makeActor(app);
    const { email } = await makeEmail(user, { confirmedAt: null });
    for (const taken of [user.email.toUpperCase(), email.toUpperCase()]) {
      const { body } = await client.post('/user/emails', { email: taken }).expect(400);
      expect(body).toEqual({ message: { email: ['has already been taken'] } });
    }
    expect(await emailsOf(user)).toHaveLength(1);
  });

  it('does not tell whether others have an address', async () => {
    const { user: other } = await makeActor(app);
    const { api: client } = await makeActor(app);
    const { body } = await client.post('/user/emails', { email: other.email }).expect(201);
    expect(body).toMatchObject({ confirmed_at: null });
  });

  it('limits emails to an address', async () => {
    const { user, api: client } = await makeActor(app);
    for (let index = 0; index < 20; index += 1) await makeEmail(user);
    const { body } = await client.post('/user/emails', { email: newAddress() }).expect(400);
    expect(body).toEqual({ message: { base: ['No more than 20 addresses'] } });
  });

  it('limits emails when addresses are removed and added again', async () => {
    const { api: client } = await makeActor(app);
    const statuses: number[] = [];
    for (let index = 0; index < 41; index += 1) {
      const { status, body } = await client.post('/user/emails', { email: newAddress() });
      statuses.push(status);
      if (status === 201) await client.delete(`/user/emails/${(body as UserEmail).id}`).expect(204);
    }
    expect(statuses).toEqual([...Array.from({ length: 40 }, () => 201), 400]);
    const twice = await makeActor(app);
    const email = newAddress();
    for (let round = 0; round < 2; round += 1) {
      const { body } = await twice.api.post('/user/emails', { email }).expect(201);
      await twice.api.delete(`/user/emails/${(body as UserEmail).id}`).expect(204);
    }
    expect(await mailsTo(email)).toHaveLength(1);
  });

  it('is for people, and with the scope for reading only', async () => {
    const bot = await makeActor(app, { userType: 'project_bot' });
    await bot.api.post('/user/emails', { email: newAddress() }).expect(403);
    const user = await makeUser(app);
    const reader = api(app.url, await makeToken(app, user, { scopes: ['read_user'] }));
    await reader.get('/user/emails').expect(200);
    await reader.post('/user/emails', { email: newAddress() }).expect(403);
    await api(app.url).get('/user/emails').expect(401);
  });
});

describe('the page of e-mail addresses', () => {
  it('shows every address with its state, and adds another', async () => {
    const { user, pages } = await makeVisitor(app);
    const [confirmed, claimed] = [
      await makeEmail(user),
      await makeEmail(user, { confirmedAt: null }),
    ];
    const page = textOf((await pages.get(PATH).expect(200)).text);
    expect(page).toContain(`${user.email} Primary Confirmed`);
    expect(page).toContain(`${confirmed.email} Confirmed Make primary`);
    expect(page).toContain(`${claimed.email} Unconfirmed Resend link`);
    const email = newAddress();
    await pages.post(PATH, { email }).expect(303).expect('Location', PATH);
    expect((await emailsOf(user)).map((one) => one.email)).toContain(email);
  });

  it('shows the form again for what is no address', async () => {
    const { pages } = await makeVisitor(app);
    const { text } = await pages.post(PATH, { email: '"><script>' }).expect(422);
    expect(textOf(text)).toContain('Email is invalid.');
    expect(text).toContain('value="&quot;>&lt;script>"');
  });

  it('mails a link again, but not within a minute', async () => {
    const { user, pages } = await makeVisitor(app, { confirmedAt: null });
    const { id, email } = await makeEmail(user, { confirmedAt: null });
    await pages.post(`${PATH}/${id}/confirm`).expect(303);
    const again = await pages.post(`${PATH}/${id}/confirm`).expect(303);
    expect(await follow(pages, again)).toContain('Wait a minute');
    expect(await mailsTo(email)).toHaveLength(1);
    await pages.post(`${PATH}/confirm`).expect(303);
    expect(await mailsTo(user.email)).toHaveLength(1);
  });

  it('removes an address', async () => {
    const { user, pages } = await makeVisitor(app);
    const { id } = await makeEmail(user);
    await pages.post(`${PATH}/${id}/delete`).expect(303);
    expect(await emailsOf(user)).toEqual([]);
    await pages.post(`${PATH}/${id}/delete`).expect(404);
  });
});

describe('making an address the primary one', () => {
  const fields = { current_password: PASSWORD };

  it('swaps both, tells the former one and ends links for a new password', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    const { id, email } = await makeEmail(user);
    await app.dataSource.manager.insert(MailLink, {
      digest: Buffer.from(unique('digest')),
      purpose: 'reset_password',
      userId: user.id,
      email: user.email,
      expiresAt: new Date(Date.now() + 60_000),
    });
    await pages.post(`${PATH}/${id}/primary`, fields).expect(303);
    expect((await pages.get('/api/v4/user').expect(200)).body).toMatchObject({ email });
    expect(await emailsOf(user)).toMatchObject([{ id, email: user.email }]);
    expect(await mailsTo(user.email)).toMatchObject([{ kind: 'email_changed' }]);
    expect(await app.dataSource.manager.countBy(MailLink, { userId: user.id })).toBe(0);
    expect(await actionsOn(user)).toEqual(['user_updated']);
  });

  it('takes the password', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    const { id } = await makeEmail(user);
    for (const password of ['', 'wrong']) {
      const wrong = { current_password: password };
      const answer = await pages.post(`${PATH}/${id}/primary`, wrong).expect(303);
      expect(await follow(pages, answer)).toContain('Current password is wrong.');
    }
    expect((await pages.get('/api/v4/user').expect(200)).body).toMatchObject({
      email: user.email,
    });
  });

  it('is for confirmed addresses only', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    const { id } = await makeEmail(user, { confirmedAt: null });
    const answer = await pages.post(`${PATH}/${id}/primary`, fields).expect(303);
    expect(await follow(pages, answer)).toContain('Email must be confirmed before.');
    expect((await pages.get('/api/v4/user').expect(200)).body).toMatchObject({
      email: user.email,
    });
  });

  it('leaves an unconfirmed primary address unconfirmed', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest, confirmedAt: null });
    const { id, email, confirmedAt } = await makeEmail(user);
    await pages.post(`${PATH}/${id}/primary`, fields).expect(303);
    expect(await emailsOf(user)).toMatchObject([{ email: user.email, confirmedAt: null }]);
    const { body } = await pages.get('/api/v4/user').expect(200);
    expect(body).toMatchObject({ email, confirmed_at: confirmedAt?.toISOString() });
  });

  it('happens once when both are asked for at once', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    const [first, second] = [await makeEmail(user), await makeEmail(user)];
    await Promise.all(
      [first, second].map(({ id }) => pages.post(`${PATH}/${id}/primary`, fields).expect(303)),
    );
    const { body } = (await pages.get('/api/v4/user').expect(200)) as { body: { email: string } };
    const all = [body.email, ...(await emailsOf(user)).map(({ email }) => email)].sort();
    expect(all).toEqual([user.email, first.email, second.email].sort());
  });
});
