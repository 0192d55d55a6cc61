import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { Clock } from '../../src/core/clock.js';
import { User } from '../../src/identity/users/user.entity.js';
import { newAddress, startLimitedApp } from '../rate-limits/limited-app.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeAdmin, unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { signedIn } from '../support/page-client.js';
import { changeSettings } from '../support/settings.js';
import { makePerson, newBrowser, PASSWORD, signIn } from '../support/sign-in.js';

const WRONG = { password: 'wrong-orbit-kettle-42' };

describe('an account whose password is guessed', () => {
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
  const guess = async (login: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i += 1) expect((await signIn(app, login, WRONG)).status).toBe(422);
  };

  it('is locked after ten wrong passwords, by whatever name, with no other answer', async () => {
    const person = await makePerson(app);
    await guess(person.username.toUpperCase(), 5);
    await guess(person.email, 4);
    expect(await row(person.id)).toMatchObject({ failedAttempts: 9, lockedAt: null });
    const last = await signIn(app, person.username, WRONG);
    expect((await row(person.id)).lockedAt).toBeInstanceOf(Date);
    const right = await signIn(app, person.username);
    expect(right.status).toBe(422);
    expect(textOf(right.text)).toBe(textOf(last.text));
  });

  it('is recorded in the audit log, once', async () => {
    const person = await makePerson(app);
    await guess(person.username, 12);
    const events = await app.dataSource.manager.findBy(AuditEvent, {
      targetType: 'User',
      targetId: person.id,
    });
    expect(events).toMatchObject([
      {
        action: 'user_sign_in_failed',
        authorId: null,
        ipAddress: '127.0.0.1',
        details: { failed_attempts: 10, locked: true },
      },
    ]);
  });

  it('opens again after ten minutes, for as many guesses as before', async () => {
    const person = await makePerson(app);
    await guess(person.username, 10);
    offset = 601_000;
    await guess(person.username, 1);
    expect(await row(person.id)).toMatchObject({ failedAttempts: 1, lockedAt: null });
    expect((await signIn(app, person.username)).status).toBe(303);
    offset = 0;
  });

  it('forgets the wrong passwords with the right one', async () => {
    const person = await makePerson(app);
    await guess(person.username, 9);
    expect((await signIn(app, person.username)).status).toBe(303);
    await guess(person.username, 9);
    expect((await signIn(app, person.username)).status).toBe(303);
  });

  it('gives away no more than ten guesses to many at once', async () => {
    const person = await makePerson(app);
    await Promise.all(Array.from({ length: 30 }, () => signIn(app, person.username, WRONG)));
    expect(await row(person.id)).toMatchObject({
      failedAttempts: 10,
      lockedAt: expect.any(Date),
    });
    const events = await app.dataSource.manager.countBy(AuditEvent, {
      targetType: 'User',
      targetId: person.id,
    });
    expect(events).toBe(1);
  });

  it('keeps the sessions that its owner has', async () => {
    const person = await makePerson(app);
    const pages = await signedIn(app, person);
    await guess(person.username, 10);
    await pages.get('/api/v4/user').expect(200);
  });

  it('follows the settings', async () => {
    await changeSettings(app, {
      max_login_attempts: 2,
      failed_login_attempts_unlock_period_in_minutes: 1,
    });
    const person = await makePerson(app);
    await guess(person.username, 2);
    expect((await signIn(app, person.username)).status).toBe(422);
    offset = 61_000;
    expect((await signIn(app, person.username)).status).toBe(303);
    offset = 0;
    await changeSettings(app, {
      max_login_attempts: 10,
      failed_login_attempts_unlock_period_in_minutes: 10,
    });
  });

  it('is shown as locked to administrators while it is', async () => {
    const admin = await makeAdmin(app);
    const person = await makePerson(app);
    const lockedOf = async (): Promise<unknown> =>
      ((await admin.api.get(`/users/${person.id}`).expect(200)).body as { locked: unknown }).locked;
    expect(await lockedOf()).toBe(false);
    await guess(person.username, 10);
    expect(await lockedOf()).toBe(true);
    const list = await admin.api.get(`/users?username=${person.username}`).expect(200);
    expect(list.body).toMatchObject([{ locked: true }]);
    offset = 601_000;
    expect(await lockedOf()).toBe(false);
    offset = 0;
  });
});

describe('an address from which many accounts are tried', () => {
  let app: OwnTestApp;
  beforeAll(async () => {
    app = await startLimitedApp(
      { throttle_protected_paths_enabled: false },
      { env: { TRUST_PROXY: 'loopback' } },
    );
  });
  afterAll(() => app.close());

  const attempt = async (login: string, password: string, address: string): Promise<number> => {
    const form = { 'user[login]': login, 'user[password]': password };
    const post = newBrowser(app).post('/users/sign_in', form).set('X-Forwarded-For', address);
    return (await post).status;
  };

  it('must wait after thirty wrong passwords, however many connections it uses', async () => {
    const address = newAddress();
    const logins = Array.from({ length: 1_000 }, () => unique('nobody'));
    const statuses: number[] = [];
    while (logins.length > 0) {
      const batch = logins.splice(0, 50);
      const tries = batch.map((login) => attempt(login, WRONG.password, address));
      statuses.push(...(await Promise.all(tries)));
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(970);
    const person = await makePerson(app);
    expect(await attempt(person.username, PASSWORD, address)).toBe(429);
    expect(await attempt(person.username, PASSWORD, newAddress())).toBe(303);
  });

  it('may sign in as many people as it likes', async () => {
    const address = newAddress();
    const people = await Promise.all(Array.from({ length: 35 }, () => makePerson(app)));
    for (const { username } of people) {
      expect(await attempt(username, PASSWORD, address)).toBe(303);
    }
    await changeSettings(app, { sign_in_failures_per_address_limit: 0 });
    for (let i = 0; i < 35; i += 1) {
      expect(await attempt(unique('nobody'), PASSWORD, address)).toBe(422);
    }
    await changeSettings(app, { sign_in_failures_per_address_limit: 30 });
  });

  it('learns when to retry', async () => {
    await changeSettings(app, { sign_in_failures_per_address_limit: 1 });
    const address = newAddress();
    await attempt(unique('nobody'), PASSWORD, address);
    const response = await newBrowser(app)
      .post('/users/sign_in', { 'user[login]': 'x', 'user[password]': 'y' })
      .set('X-Forwarded-For', address);
    expect(response.status).toBe(429);
    expect(response.headers['retry-after']).toBe('590');
    expect(response.headers['content-type']).toContain('text/html');
    await changeSettings(app, { sign_in_failures_per_address_limit: 30 });
  });
});
