import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { User } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { mailsTo } from '../support/mails.js';
import { follow, makeVisitor } from '../support/page-client.js';
import { changeSettings } from '../support/settings.js';
import { newBrowser, PASSWORD, signIn } from '../support/sign-in.js';

describe('registering', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await sharedTestApp();
  });
  beforeEach(() =>
    changeSettings(app, {
      signup_enabled: true,
      require_admin_approval_after_user_signup: false,
      email_confirmation_setting: 'hard',
    }),
  );

  const person = (): Record<string, string> => {
    const username = unique('new');
    return { name: 'Nora Loom', username, email: `${username}@example.com`, password: PASSWORD };
  };
  const register = (form: Record<string, string>) => newBrowser(app).post('/users/sign_up', form);
  const rowOf = ({ username = '' }: Record<string, string>): Promise<User> =>
    app.dataSource.manager.findOneByOrFail(User, { username });

  it('is closed unless the settings open it', async () => {
    await changeSettings(app, { signup_enabled: false });
    await newBrowser(app).get('/users/sign_up').expect(404);
    expect((await register(person())).status).toBe(404);
    expect((await newBrowser(app).get('/users/sign_in')).text).not.toContain('/users/sign_up');
  });

  it('makes an account that waits for its address to be confirmed', async () => {
    await newBrowser(app).get('/users/sign_up').expect(200);
    const form = person();
    const response = await register(form);
    expect(response.status).toBe(303);
    expect(response.headers['location']).toBe('/users/sign_in');
    const user = await rowOf(form);
    expect(user).toMatchObject({ state: 'active', confirmedAt: null, admin: false });
    const mails = await mailsTo(app, form['email'] ?? '');
    expect(mails.map(({ kind }) => kind)).toEqual(['email_confirmation']);
    expect((await signIn(app, user.username)).status).toBe(422);
    const events = await app.dataSource.manager.findBy(AuditEvent, {
      targetType: 'User',
      targetId: user.id,
    });
    expect(events).toMatchObject([
      { action: 'user_created', authorId: null, ipAddress: '127.0.0.1' },
    ]);
  });

  it('lets in at once without confirmation and approval', async () => {
    await changeSettings(app, { email_confirmation_setting: 'off' });
    const form = person();
    expect((await register(form)).status).toBe(303);
    expect(await mailsTo(app, form['email'] ?? '')).toEqual([]);
    expect((await signIn(app, form['username'] ?? '')).status).toBe(303);
  });

  it('lets in before the address is confirmed where that is soft', async () => {
    await changeSettings(app, { email_confirmation_setting: 'soft' });
    const form = person();
    await register(form);
    expect(await mailsTo(app, form['email'] ?? '')).toHaveLength(1);
    expect((await signIn(app, form['username'] ?? '')).status).toBe(303);
  });

  it('makes an account that waits for an administrator where they decide', async () => {
    await changeSettings(app, {
      require_admin_approval_after_user_signup: true,
      email_confirmation_setting: 'off',
    });
    const form = person();
    await register(form);
    expect((await rowOf(form)).state).toBe('pending');
    const refused = await signIn(app, form['username'] ?? '');
    expect(textOf(refused.text)).toContain('pending approval');
  });

  it.each([
    ['off', false, 'Your account is ready. Sign in with it.'],
    ['soft', false, 'Your account is ready. Sign in with it.'],
    ['hard', false, 'Check your email and confirm your address, then sign in.'],
    ['soft', true, 'Your account is pending approval by an administrator.'],
    ['hard', true, 'An administrator must also approve your account.'],
  ] as const)(
    'shows the next step with confirmation %s and approval required %s',
    async (email_confirmation_setting, needsApproval, notice) => {
      await changeSettings(app, {
        require_admin_approval_after_user_signup: needsApproval,
        email_confirmation_setting,
      });
      const browser = newBrowser(app);
      const registered = await browser.post('/users/sign_up', person()).expect(303);
      expect(await follow(browser, registered)).toContain(notice);
    },
  );

  it('creates nothing more than an account, whatever the form contains', async () => {
    const form = { ...person(), admin: 'true', state: 'active', 'user[admin]': '1', id: '1' };
    await register(form);
    expect(await rowOf(form)).toMatchObject({ admin: false, external: false, confirmedAt: null });
  });

  it('shows the form again with what is wrong, without the password', async () => {
    const form = { ...person(), name: '', username: 'admin', email: 'a@b, c@d', password: 'loom' };
    const response = await register(form);
    expect(response.status).toBe(422);
    const text = textOf(response.text);
    expect(text).toContain("Name can't be blank.");
    expect(text).toContain('Username admin is a reserved name.');
    expect(text).toContain('Email is invalid.');
    expect(text).toContain('Password is too short (minimum is 8 characters).');
    expect(response.text).toContain('value="a@b, c@d"');
    expect(response.text).not.toContain('value="loom"');
  });

  it('refuses passwords that hold the name', async () => {
    const form = { ...person(), password: 'my-Nora-42-x9' };
    expect(textOf((await register(form)).text)).toContain('commonly used combinations');
  });

  it('refuses names and addresses that are taken', async () => {
    const taken = await makeUser(app);
    const byName = await register({ ...person(), username: taken.username.toUpperCase() });
    expect(byName.status).toBe(422);
    expect(textOf(byName.text)).toContain('Username has already been taken.');
    const byEmail = await register({ ...person(), email: taken.email.toUpperCase() });
    expect(textOf(byEmail.text)).toContain('Email has already been taken.');
  });

  it.each(['victim@example.com\r\nBcc: all@example.com', 'a\u2028b@example.com', 'a b@c.example'])(
    'refuses %p, with which a mail could go astray',
    async (email) => {
      const form: Record<string, string> = { ...person(), email };
      expect((await register(form)).status).toBe(422);
      expect(await app.dataSource.manager.countBy(User, { username: form['username'] })).toBe(0);
    },
  );

  it('leads on who is signed in', async () => {
    const { pages } = await makeVisitor(app);
    const response = await pages.get('/users/sign_up');
    expect(response.headers['location']).toBe('/');
  });
});
