import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialDigest } from '../../src/core/secrets.js';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { Session } from '../../src/identity/auth/sessions/sessions.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeSession, makeVisitor, pageClient, signedIn } from '../support/page-client.js';
import { makePerson, sessionValue, signIn } from '../support/sign-in.js';

const PATH = '/-/user_settings/active_sessions';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function sessionsOf(user: { id: number }): Promise<Session[]> {
  return app.dataSource.manager.find(Session, { where: { userId: user.id }, order: { id: 'ASC' } });
}

function trailOf(user: { id: number }): Promise<AuditEvent[]> {
  const where = { entityType: 'User', entityId: user.id };
  return app.dataSource.manager.find(AuditEvent, { where, order: { id: 'ASC' } });
}

describe('the page of sessions', () => {
  it('names device, address and times of every living session, and of no other', async () => {
    const { user, pages } = await makeVisitor(app);
    const before = Date.now();
    const lastSeenAt = new Date('2026-01-02T03:04:05Z');
    await makeSession(app, user, {
      userAgent: FIREFOX,
      ip: '2001:db8::7',
      remembered: true,
      lastSeenAt: new Date(before - 60 * 60_000),
    });
    await makeSession(app, user, { ip: '192.0.2.66', lastSeenAt });
    await makeSession(app, user, { ip: '192.0.2.77', expiresAt: new Date(before - 1) });
    await makeSession(app, await makeUser(app), { ip: '192.0.2.88' });

    const { text, headers } = await pages.get(PATH).expect(200);
    const page = textOf(text);
    expect(page).toMatch(
      /Unknown browser This session 127\.0\.0\.1 · Last active .* UTC · Signed in .* UTC Sign out of session \d+/,
    );
    expect(page).toMatch(
      /Firefox 128 on Linux Remembered 2001:db8::7 · Last active .* UTC · Signed in .* UTC Sign out/,
    );
    expect(page).not.toMatch(/192\.0\.2/);
    expect(headers['cache-control']).toBe('no-store');
  });

  it('is long enough for all: who signs in once more loses the one used longest ago', async () => {
    const person = await makePerson(app);
    const now = Date.now();
    const lastSeenAt = new Date(now - 60_000);
    const oldest = await makeSession(app, person, { lastSeenAt: new Date(now - 3_600_000) });
    for (let count = 1; count < 100; count += 1) await makeSession(app, person, { lastSeenAt });
    await pageClient(app, oldest).get('/api/v4/user').expect(200);
    const row = { userId: person.id, digest: credentialDigest(oldest) };
    // The time of a visit is written after its response.
    await eventually(async () => {
      const { lastSeenAt: seenAt } = await app.dataSource.manager.findOneByOrFail(Session, row);
      expect(seenAt.getTime()).toBeGreaterThanOrEqual(now);
    });
    await app.dataSource.manager.update(Session, row, { lastSeenAt: new Date(now - 3_600_000) });
    const value = sessionValue(await signIn(app, person.username));
    await pageClient(app, oldest).get('/api/v4/user').expect(401);
    expect(await sessionsOf(person)).toHaveLength(100);
    const { text } = await pageClient(app, value).get(PATH).expect(200);
    expect(text).toContain('This session');
  });

  it('escapes what a browser says about itself', async () => {
    const { user, pages } = await makeVisitor(app);
    await makeSession(app, user, { userAgent: '<script>alert(1)</script> Firefox/1' });
    expect((await pages.get(PATH).expect(200)).text).not.toContain('<script>alert');
  });
});

describe('ending a session', () => {
  it('stops that browser at once and tells the trail', async () => {
    const { user, pages } = await makeVisitor(app);
    const other = await signedIn(app, user);
    const [, session] = await sessionsOf(user);
    await other.get('/api/v4/user').expect(200);
    await pages.post(`${PATH}/${session?.id}/revoke`).expect(303).expect('Location', PATH);
    await other.get('/api/v4/user').expect(401);
    await pages.get('/api/v4/user').expect(200);
    expect(await trailOf(user)).toMatchObject([
      {
        action: 'session_ended',
        authorId: user.id,
        ipAddress: '127.0.0.1',
        details: { session_id: session?.id },
      },
    ]);
  });

  it('is signing out when it is the one that asks', async () => {
    const { user, pages } = await makeVisitor(app);
    const [session] = await sessionsOf(user);
    const { headers } = await pages.post(`${PATH}/${session?.id}/revoke`).expect(303);
    expect(headers['location']).toBe('/users/sign_in');
    expect(headers['set-cookie']).toEqual([expect.stringMatching(/^_svc_session=;.*Max-Age=0/)]);
    await pages.get('/api/v4/user').expect(401);
  });

  it('is nothing that one can do to others', async () => {
    const { pages } = await makeVisitor(app, { admin: true });
    const { user: other, pages: others } = await makeVisitor(app);
    const [session] = await sessionsOf(other);
    await pages.post(`${PATH}/${session?.id}/revoke`).expect(404);
    await others.get('/api/v4/user').expect(200);
    expect(await trailOf(other)).toEqual([]);
  });

  it('ends all but the one that asks, and none of other people', async () => {
    const { user, pages } = await makeVisitor(app);
    const { pages: strangers } = await makeVisitor(app);
    const others = [await signedIn(app, user), await signedIn(app, user)];
    await pages.post(`${PATH}/revoke_others`).expect(303).expect('Location', PATH);
    for (const other of others) await other.get('/api/v4/user').expect(401);
    for (const kept of [pages, strangers]) await kept.get('/api/v4/user').expect(200);
    expect(await trailOf(user)).toMatchObject([
      { action: 'other_sessions_ended', details: { count: 2 } },
    ]);
  });

  it('takes a form of the session itself, not of another', async () => {
    const { user, pages } = await makeVisitor(app);
    const other = await signedIn(app, user);
    const request = pages.post(`${PATH}/revoke_others`);
    await request.set('Cookie', `_svc_session=${other.cookie}`).expect(422);
    expect(await sessionsOf(user)).toHaveLength(2);
  });
});
