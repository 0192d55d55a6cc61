import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { hashPassword, verifyPassword } from '../../src/core/passwords.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { Session } from '../../src/identity/auth/sessions/sessions.repository.js';
import { User } from '../../src/identity/users/user.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, pageClient, signedIn, type PageClient } from '../support/page-client.js';

const PATH = '/-/user_settings/password';
const OLD = 'forty quiet owls by the river';
const NEW = 'seven wet lanterns in March';
const FORM = { current_password: OLD, password: NEW, password_confirmation: NEW };

let app: TestApp;
let passwordDigest: string;
beforeAll(async () => {
  app = await sharedTestApp();
  passwordDigest = await hashPassword(OLD);
});

/** Value of the session's cookie that the answer sets. */
function newCookie({ headers }: { headers: Record<string, unknown> }): string {
  const cookies = (headers['set-cookie'] ?? []) as string[];
  const session = cookies.filter((cookie) => cookie.startsWith('_svc_session='));
  expect(session).toHaveLength(1);
  return /^_svc_session=([^;]*)/.exec(session[0] ?? '')?.[1] ?? '';
}

function digestOf({ id }: { id: number }): Promise<string> {
  return app.dataSource.manager
    .findOneByOrFail(User, { id })
    .then((user) => user.passwordDigest ?? '');
}

describe('changing the password', () => {
  it('goes on in a new session and ends all others, not the tokens that people made', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    const other = await signedIn(app, user);
    const [personal, oauth] = [
      await makeToken(app, user),
      await makeToken(app, user, { kind: 'oauth' }),
    ];
    const answer = await pages.post(PATH, FORM).set('User-Agent', 'curl/8.1').expect(303);
    expect(answer.headers['location']).toBe(`${PATH}/edit`);

    for (const old of [pages, other]) await old.get('/api/v4/user').expect(401);
    const next = pageClient(app, newCookie(answer));
    await next.get('/api/v4/user').expect(200);
    await api(app.url, personal).get('/user').expect(200);
    await api(app.url).get('/user').set('Authorization', `Bearer ${oauth}`).expect(401);
    expect(await verifyPassword(await digestOf(user), NEW)).toBe(true);
    const sessions = await app.dataSource.manager.findBy(Session, { userId: user.id });
    expect(sessions).toMatchObject([{ userAgent: 'curl/8.1', ip: '127.0.0.1', remembered: false }]);
  });

  it('changes nothing else, whatever fields are sent along', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    const manager = app.dataSource.manager;
    const before = await manager.findOneByOrFail(User, { id: user.id });
    const others = [
      'admin',
      'external',
      'state',
      'user_type',
      'email',
      'username',
      'id',
      'user_id',
    ];
    const fields = others.flatMap((name) => [
      [name, '1'],
      [`user[${name}]`, '1'],
    ]);
    await pages.post(PATH, { ...Object.fromEntries(fields), ...FORM }).expect(303);
    const after = await manager.findOneByOrFail(User, { id: user.id });
    const { admin, external, state, userType, email, username } = before;
    expect(after).toMatchObject({ admin, external, state, userType, email, username });
    expect(await verifyPassword(await digestOf(user), NEW)).toBe(true);
  });

  it('keeps a remembered browser remembered', async () => {
    const { user } = await makeVisitor(app, { passwordDigest });
    const pages = await signedIn(app, user, { remembered: true });
    const { headers } = await pages.post(PATH, FORM).expect(303);
    expect(String(headers['set-cookie'])).toMatch(/_svc_session=[^;]+; Max-Age=\d{6,}/);
    const sessions = await app.dataSource.manager.findBy(Session, { userId: user.id });
    expect(sessions).toMatchObject([{ remembered: true }]);
  });

  it('is recorded and emailed, without the password', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    await pages.post(PATH, FORM).expect(303);
    const where = { targetType: 'User', targetId: user.id };
    const [event, ...rest] = await app.dataSource.manager.findBy(AuditEvent, where);
    expect(event).toMatchObject({
      action: 'user_updated',
      authorId: user.id,
      details: { password: '[changed]' },
    });
    expect(rest).toEqual([]);
    const mails = await app.dataSource.manager.findBy(OutgoingMail, { recipient: user.email });
    expect(mails).toMatchObject([{ kind: 'password_changed' }]);
  });

  it.each([
    [{ current_password: 'wrong' }, 'Current password is wrong.'],
    [{ current_password: '' }, 'Current password is empty.'],
    [{ password: 'short', password_confirmation: 'short' }, 'Password is too short'],
    [
      { password: 'password1234', password_confirmation: 'password1234' },
      'Password must not contain commonly used combinations of words and letters.',
    ],
    [{ password_confirmation: 'another' }, "Password confirmation doesn't match the new password."],
    [{ password: OLD, password_confirmation: OLD }, 'Password must differ from the current one.'],
  ])('is refused for %j, and no password is sent back', async (wrong, problem) => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    const { text } = await pages.post(PATH, { ...FORM, ...wrong }).expect(422);
    expect(textOf(text)).toContain(problem);
    for (const password of [OLD, NEW]) expect(text).not.toContain(password);
    expect(await digestOf(user)).toBe(passwordDigest);
    await pages.get('/api/v4/user').expect(200);
  });

  it('counts wrong current passwords until the account is locked, but ends no session', async () => {
    const { user, pages } = await makeVisitor(app, { passwordDigest });
    const wrong = { ...FORM, current_password: 'wrong' };
    for (let attempt = 0; attempt < 10; attempt += 1) await pages.post(PATH, wrong).expect(422);
    const { lockedAt } = await app.dataSource.manager.findOneByOrFail(User, { id: user.id });
    expect(lockedAt).not.toBeNull();
    await pages.post(PATH, FORM).expect(422);
    await pages.get('/api/v4/user').expect(200);
  });

  it('succeeds once when it is asked for many times at once', async () => {
    const { pages } = await makeVisitor(app, { passwordDigest });
    const change = (client: PageClient, index: number) => {
      const password = `${NEW} ${index}`;
      return client.post(PATH, { ...FORM, password, password_confirmation: password });
    };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(pages, index)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });

  it('has a form that is for the person who is signed in', async () => {
    const { user, pages } = await makeVisitor(app);
    const { text } = await pages.get(`${PATH}/edit`).expect(200);
    expect(text).toContain(`value="${user.username}"`);
    expect(text).toContain('autocomplete="new-password"');
  });
});
