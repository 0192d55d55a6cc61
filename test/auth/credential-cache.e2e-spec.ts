import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Viewer } from '../../src/core/access/auth-context.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { PgNotifyCache } from '../../src/core/announcements/pg-notify-listener.service.js';
import { poolOf } from '../../src/core/sql/pg-driver.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { User } from '../../src/identity/users/user.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { postToken } from '../support/oauth-factories.js';
import { makePerson, PASSWORD, signIn } from '../support/sign-in.js';

/** Shorter than entries live unannounced (5 s): only the announcement can explain the change. */
const WITHIN_LIFETIME = { seconds: 4, everyMs: 5 };

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Makes the app know the token without asking the database again. */
async function makeKnownActor(): Promise<MadeActor> {
  const actor = await makeActor(app);
  await eventually(async () => {
    const rows = jest.spyOn(app.app.get(Sql), 'lookUp');
    await actor.api.get('/version').expect(200);
    const asked = rows.mock.calls.length;
    rows.mockRestore();
    return asked === 0;
  });
  return actor;
}

describe('a known credential', () => {
  it('stops working when another connection revokes the token', async () => {
    const { user, api } = await makeKnownActor();
    await app.dataSource.manager.update(
      AccessToken,
      { userId: user.id },
      { revokedAt: new Date() },
    );
    await eventually(() => api.get('/version').expect(401), WITHIN_LIFETIME);
  });

  it('stops working when the token is deleted', async () => {
    const { user, api } = await makeKnownActor();
    await app.dataSource.manager.delete(AccessToken, { userId: user.id });
    await eventually(() => api.get('/version').expect(401), WITHIN_LIFETIME);
  });

  it('stops working when its user is blocked', async () => {
    const { user, api } = await makeKnownActor();
    await app.dataSource.manager.update(User, { id: user.id }, { state: 'blocked' });
    await eventually(() => api.get('/version').expect(403), WITHIN_LIFETIME);
  });

  it('is forgotten when the connection that listens is lost, and learnt again later', async () => {
    const { user, api } = await makeKnownActor();
    const clear = jest.spyOn(PgNotifyCache.prototype, 'clear');

    await app.dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'guildhall announcements'`,
    );
    await eventually(() => expect(clear).toHaveBeenCalled());
    await app.dataSource.manager.update(
      AccessToken,
      { userId: user.id },
      { revokedAt: new Date() },
    );

    await api.get('/version').expect(401);
    await makeKnownActor();
  });
});

describe('a user', () => {
  /** What changes each attribute that a credential carries. */
  const CHANGES: Record<Exclude<keyof Viewer, 'id'>, string> = {
    username: `username = username || 'x'`,
    name: `name = name || ' Jr.'`,
    email: `email = 'new' || email`,
    avatar: `avatar = repeat('0', 64)`,
    admin: 'admin = NOT admin',
    external: 'external = NOT external',
    state: `state = 'deactivated'`,
    userType: `user_type = 'internal'`,
    confirmed: 'confirmed_at = NULL',
  };

  /** Returns the announcements made while `work` runs. */
  async function announcedBy(work: () => Promise<unknown>): Promise<string[]> {
    const heard: string[] = [];
    const listener = await poolOf(app.dataSource).connect();
    try {
      listener.on('notification', ({ payload = '' }) => heard.push(payload));
      await listener.query('LISTEN credentials');
      await work();
      // Announcements arrive in the order of the commits, so that this one is the last.
      await app.dataSource.query(`NOTIFY credentials, 'end'`);
      await eventually(() => expect(heard).toContain('end'));
      return heard;
    } finally {
      listener.release(true);
    }
  }

  it.each(Object.entries(CHANGES))('is announced when its %s changes', async (_, change) => {
    const { id } = await makePerson(app, { confirmedAt: new Date() });
    const heard = await announcedBy(() =>
      app.dataSource.query(`UPDATE users SET ${change} WHERE id = $1`, [id]),
    );
    expect(heard).toContain(`user:${id}`);
  });

  it('is announced when it is deleted', async () => {
    const { id } = await makePerson(app);
    const heard = await announcedBy(() => app.dataSource.manager.delete(User, { id }));
    expect(heard).toContain(`user:${id}`);
  });

  it('is not announced when a password is checked, or a session begins', async () => {
    const person = await makePerson(app);
    const { username } = person;
    const heard = await announcedBy(async () => {
      for (const [password, status] of [
        ['wrong-orbit-kettle-42', 400],
        [PASSWORD, 200],
      ] as const) {
        await postToken(app, { grant_type: 'password', username, password }).expect(status);
      }
      expect((await signIn(app, username)).status).toBe(303);
    });
    expect(heard).not.toContain(`user:${person.id}`);
  });
});

describe('the use of a token', () => {
  it('is noted a moment later, with the day of the user', async () => {
    const { user, api } = await makeActor(app);
    await api.get('/version').expect(200);
    const token = await eventually(async () => {
      const found = await app.dataSource.manager.findOneByOrFail(AccessToken, { userId: user.id });
      expect(found.lastUsedAt).not.toBeNull();
      return found;
    });
    const { lastActivityOn } = await app.dataSource.manager.findOneByOrFail(User, { id: user.id });
    expect(lastActivityOn).toBe(token.lastUsedAt?.toISOString().slice(0, 10));
  });

  it('is written down when the process stops right after it', async () => {
    const other = await startTestApp();
    const { api } = await makeActor(other);
    await api.get('/version').expect(200);
    const { app: nest, dataSource } = other;
    const query = jest.spyOn(nest.get(Sql), 'rows');
    await other.close();
    expect(query.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining('last_used_at'),
      expect.stringContaining('access_token_ips'),
    ]);
    expect(dataSource.isInitialized).toBe(false);
  });
});
