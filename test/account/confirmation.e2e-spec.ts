import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsNull, Not } from 'typeorm';
import { Clock } from '../../src/core/clock.js';
import { MailLinks } from '../../src/identity/account/mail-links.service.js';
import { User, UserEmail } from '../../src/identity/users/user.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { linkIn, mailsTo, tokenIn } from '../support/mails.js';
import { changeSettings } from '../support/settings.js';
import { makePerson, newBrowser, PASSWORD, signIn } from '../support/sign-in.js';

describe('confirming an address', () => {
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

  const row = (id: number): Promise<User> => app.dataSource.manager.findOneByOrFail(User, { id });
  const verify = (token: string) =>
    newBrowser(app).post('/users/confirmation/verify', { confirmation_token: token });
  const ask = async (email: string): Promise<string> => {
    await newBrowser(app).post('/users/confirmation', { email }).expect(303);
    const mails = await mailsTo(app, email);
    const [mail] = mails.slice(-1);
    return mail === undefined ? '' : linkIn(mail, app.url);
  };
  const issue = (userId: number, email: string): Promise<string | null> =>
    app.dataSource.transaction((tx) =>
      app.app.get(MailLinks).issue(tx, { purpose: 'confirm_email', userId, email }),
    );

  it('is done by the link of a mail and a button, once', async () => {
    const person = await makePerson(app, { confirmedAt: null });
    const link = await ask(person.email);
    expect(link).toMatch(/^\/users\/confirmation\?confirmation_token=[\w-]{43}$/);
    const page = await newBrowser(app).get(link).expect(200);
    expect(textOf(page.text)).toContain(`Confirm that ${person.email} is your email address.`);
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect((await row(person.id)).confirmedAt).toBeNull();
    const response = await verify(tokenIn(link));
    expect(response.status).toBe(303);
    expect(response.headers['location']).toBe('/users/sign_in');
    expect((await row(person.id)).confirmedAt).toBeInstanceOf(Date);
    expect((await signIn(app, person.username)).status).toBe(303);
    expect((await verify(tokenIn(link))).status).toBe(422);
    await newBrowser(app).get(link).expect(422);
  });

  it('works for a further address', async () => {
    const person = await makePerson(app);
    const email = `${unique('second')}@example.com`;
    await app.dataSource.manager.insert(UserEmail, { userId: person.id, email });
    expect((await verify((await issue(person.id, email)) ?? '')).status).toBe(303);
    const { confirmedAt } = await app.dataSource.manager.findOneByOrFail(UserEmail, { email });
    expect(confirmedAt).toBeInstanceOf(Date);
  });

  it('confirms the address of the mail only, not the one that took its place meanwhile', async () => {
    const person = await makePerson(app, { confirmedAt: null });
    const token = tokenIn(await ask(person.email));
    const other = `${unique('victim')}@example.com`;
    await app.dataSource.manager.update(User, { id: person.id }, { email: other });
    expect((await verify(token)).status).toBe(422);
    expect(await row(person.id)).toMatchObject({ email: other, confirmedAt: null });
  });

  it('never confirms a changed address, in whatever order the two happen', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await makePerson(app, { confirmedAt: null });
      const token = (await issue(person.id, person.email)) ?? '';
      const other = `${unique('victim')}@example.com`;
      await Promise.all([
        verify(token),
        app.dataSource.query(
          'UPDATE users SET email = $2, confirmed_at = NULL WHERE id = $1 AND email = $3',
          [person.id, other, person.email],
        ),
      ]);
      expect(await row(person.id)).toMatchObject({ email: other, confirmedAt: null });
    }
  });

  it('is for one of two people who claim an address', async () => {
    const [first, second] = [await makePerson(app), await makePerson(app)];
    const email = `${unique('shared')}@example.com`;
    for (const { id } of [first, second]) {
      await app.dataSource.manager.insert(UserEmail, { userId: id, email });
    }
    expect((await verify((await issue(first.id, email)) ?? '')).status).toBe(303);
    const refused = await verify((await issue(second.id, email)) ?? '');
    expect(refused.status).toBe(422);
    expect(textOf(refused.text)).toContain('Email has already been taken.');
  });

  it('is for one of many people who follow their links to it at once', async () => {
    const email = `${unique('wanted')}@example.com`;
    const tokens: string[] = [];
    await changeSettings(app, { signup_enabled: true });
    for (let person = 0; person < 64; person += 1) {
      const { id } = await makePerson(app);
      await app.dataSource.manager.insert(UserEmail, { userId: id, email });
      tokens.push((await issue(id, email)) ?? '');
    }
    const register = newBrowser(app).post('/users/sign_up', {
      name: 'Sam',
      username: unique('late'),
      email,
      password: PASSWORD,
    });
    const answers = await Promise.all([register, ...tokens.map(verify)]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([303, 422]));
    const { manager } = app.dataSource;
    const confirmed = await manager.countBy(UserEmail, { email, confirmedAt: Not(IsNull()) });
    expect(confirmed + (await manager.countBy(User, { email }))).toBe(1);
  });

  it('cannot be done with a link of last week or with one that sets passwords', async () => {
    const person = await makePerson(app, { confirmedAt: null });
    const token = tokenIn(await ask(person.email));
    offset = 72 * 3_600_000 + 1_000;
    expect((await verify(token)).status).toBe(422);
    offset = 0;
    const reset = await app.dataSource.transaction((tx) =>
      app.app
        .get(MailLinks)
        .issue(tx, { purpose: 'reset_password', userId: person.id, email: person.email }),
    );
    expect((await verify(reset ?? '')).status).toBe(422);
    expect((await row(person.id)).confirmedAt).toBeNull();
  });

  it('is offered again without telling who is registered', async () => {
    const confirmed = await makePerson(app);
    const blocked = await makePerson(app, { confirmedAt: null, state: 'blocked' });
    await newBrowser(app).get('/users/confirmation/new').expect(200);
    for (const email of [confirmed.email, blocked.email, `${unique('nobody')}@example.com`]) {
      const response = await newBrowser(app).post('/users/confirmation', { email });
      expect(response.headers['location']).toBe('/users/sign_in');
      expect(await mailsTo(app, email)).toEqual([]);
    }
  });
});
