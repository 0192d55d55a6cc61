import { beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES, type Role } from '../../src/identity/members/roles.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { day } from '../support/days.js';
import { makeActor, makeAdmin, makeToken } from '../support/factories.js';
import {
  as,
  createToken,
  expire,
  join,
  makeHome,
  roleOfBot,
  withoutValue,
  type Kind,
} from './world.js';

const UNAUTHORIZED = { message: '401 Unauthorized' };
const KINDS = ['project', 'group'] as const;
const ROLE_NAMES = Object.keys(ROLES).filter((role) => role !== 'minimal') as Role[];

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function notFound(kind: Kind): object {
  return { message: `404 ${kind} Access Token Not Found` };
}

function badRequest(reason: string): object {
  return { message: `400 Bad request - ${reason}` };
}

describe.each(KINDS)('POST /%ss/:id/access_tokens', (kind) => {
  it('creates a token with a bot of its own in one go', async () => {
    const home = await makeHome(app, kind);
    const attributes = {
      name: 'Deployer',
      description: 'deploys at night',
      scopes: ['read_api', 'write_repository'],
      access_level: 30,
      expires_at: day(30),
    };
    const { body } = await home.manager.api.post(home.path, attributes).expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Deployer',
      revoked: false,
      created_at: expect.stringMatching(/Z$/),
      description: 'deploys at night',
      scopes: ['read_api', 'write_repository'],
      user_id: expect.any(Number),
      last_used_at: null,
      last_used_ips: [],
      active: true,
      expires_at: attributes.expires_at,
      access_level: 30,
      resource_type: kind,
      resource_id: home.id,
      token: expect.stringMatching(/^svcpat-[0-9a-v]{32}$/),
    });
    expect(await roleOfBot(app, home, body.user_id)).toBe('developer');
    const bot = await home.manager.api.get(`/users/${body.user_id}`).expect(200);
    expect(bot.body).toMatchObject({ name: 'Deployer', bot: true, state: 'active' });
    expect(bot.body.username).toMatch(new RegExp(`^${kind}_${home.id}_bot_[0-9a-f]{32}$`));
    const self = await as(app, body).get('/user').expect(200);
    expect(self.body).toMatchObject({
      id: body.user_id,
      email: `${bot.body.username}@noreply.127.0.0.1`,
      confirmed_at: expect.any(String),
    });
  });

  it('makes it a Maintainer for a year when nothing else is asked', async () => {
    const home = await makeHome(app, kind);
    const token = await createToken(home, { scopes: 'api, self_rotate' });
    expect(token).toMatchObject({
      access_level: 40,
      expires_at: day(365),
      description: null,
      scopes: ['api', 'self_rotate'],
    });
  });

  it.each(['read_user', 'sudo', 'admin_mode', 'openid', 'nonsense'])(
    'does not know the scope %s',
    async (scope) => {
      const { manager, path } = await makeHome(app, kind);
      const body = { name: 'x', scopes: ['api', scope] };
      const answer = await manager.api.post(path, body).expect(400);
      expect(answer.body.error).toBe('scopes does not have a valid value');
    },
  );

  it('refuses parameters that are missing or of no use', async () => {
    const { manager, path } = await makeHome(app, kind);
    const valid = { name: 'x', scopes: ['api'] };
    const refusals: [object, string][] = [
      [{ scopes: ['api'] }, 'name is missing'],
      [{ name: 'x' }, 'scopes is missing'],
      [{ ...valid, name: ' ' }, 'name is empty'],
      [{ ...valid, access_level: 35 }, 'access_level does not have a valid value'],
      [{ ...valid, access_level: 5 }, 'access_level does not have a valid value'],
      [{ ...valid, expires_at: 'soon' }, 'expires_at is invalid'],
    ];
    for (const [body, error] of refusals) {
      const answer = await manager.api.post(path, body).expect(400);
      expect(answer.body.error).toBe(error);
    }
    const late = await manager.api.post(path, { ...valid, expires_at: day(500) });
    expect([late.status, late.body]).toEqual([
      400,
      badRequest(`Expires at must be before ${day(365)}`),
    ]);
    const none = await manager.api.post(path, { ...valid, scopes: [] });
    expect([none.status, none.body]).toEqual([400, badRequest("Scopes can't be blank")]);
  });

  it('gives every role that the creator has, and none above it', async () => {
    const home = await makeHome(app, kind);
    const admin = await makeAdmin(app);
    for (const level of [10, 15, 20, 30, 40]) {
      expect((await createToken(home, { access_level: level })).access_level).toBe(level);
    }
    const owner = { name: 'x', scopes: ['api'], access_level: 50 };
    const answer = await home.manager.api.post(home.path, owner);
    if (kind === 'project') {
      const text = 'Access level of the token contains permissions not held by the creating user';
      expect([answer.status, answer.body]).toEqual([400, badRequest(text)]);
    } else {
      expect(answer.status).toBe(201);
    }
    await admin.api.post(home.path, owner).expect(201);
  });

  it('leaves nothing behind when it refuses', async () => {
    const home = await makeHome(app, kind);
    const bots = (): Promise<{ n: number }[]> =>
      app.dataSource.query(
        `SELECT count(*)::int AS n FROM users WHERE username LIKE '${kind}_${home.id}_bot%'`,
      );
    await home.manager.api.post(home.path, { name: 'x', scopes: [] }).expect(400);
    expect(await bots()).toEqual([{ n: 0 }]);
  });

  it('is on record in the trail of its home, without the value', async () => {
    const home = await makeHome(app, kind);
    const { id, token, user_id, expires_at } = await createToken(home);
    const rows = await app.dataSource.query(
      `SELECT author_id, action, target_type, target_id, details, ip_address IS NOT NULL AS known
       FROM audit_events WHERE entity_type = $1 AND entity_id = $2 ORDER BY id`,
      [kind === 'group' ? 'Group' : 'Project', home.id],
    );
    const by = { author_id: home.manager.user.id, known: true };
    expect(rows).toEqual([
      {
        ...by,
        action: 'member_created',
        target_type: 'User',
        target_id: user_id,
        details: { access_level: { from: null, to: 40 } },
      },
      {
        ...by,
        action: 'access_token_created',
        target_type: 'AccessToken',
        target_id: id,
        details: { kind, user_id, name: 'Robot', scopes: ['api'], expires_at },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe.each(KINDS)('who manages the access tokens of a %s', (kind) => {
  it('is decided by the role: 401 for others, to creators 400', async () => {
    const home = await makeHome(app, kind);
    const { id } = await createToken(home, { access_level: 10 });
    const enough = kind === 'group' ? ['owner'] : ['maintainer', 'owner'];
    for (const role of ROLE_NAMES) {
      const actor = await makeActor(app);
      await join(home, { app, actor, role });
      const body = { name: 'x', scopes: ['api'], access_level: 10 };
      const answers = [
        await actor.api.get(home.path),
        await actor.api.get(`${home.path}/${id}`),
        await actor.api.post(home.path, body),
        await actor.api.post(`${home.path}/0/rotate`),
        await actor.api.delete(`${home.path}/0`),
      ];
      const may = enough.includes(role);
      const statuses = may ? [200, 200, 201, 404, 404] : [401, 401, 400, 401, 401];
      expect([role, ...answers.map(({ status }) => status)]).toEqual([role, ...statuses]);
      if (may) continue;
      expect(answers[0]?.body).toEqual(UNAUTHORIZED);
      const text = `User does not have permission to create ${kind} access token`;
      expect(answers[2]?.body).toEqual(badRequest(text));
    }
  });

  it('includes administrators, but neither other users nor anonymous requests', async () => {
    const home = await makeHome(app, kind);
    const { id } = await createToken(home);
    await (await makeAdmin(app)).api.get(`${home.path}/${id}`).expect(200);
    const stranger = await makeActor(app);
    const noun = kind === 'group' ? 'Group' : 'Project';
    for (const answer of [
      await stranger.api.get(home.path),
      await stranger.api.post(home.path, { name: 'x', scopes: ['api'] }),
      await stranger.api.delete(`${home.path}/${id}`),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, { message: `404 ${noun} Not Found` }]);
    }
    await api(app.url)
      .post(home.path, { name: 'x', scopes: ['api'] })
      .expect(401);
    await api(app.url).get(home.path).expect(404);
  });

  it('says 401 to those who only see it', async () => {
    const home = await makeHome(app, kind);
    const table = `${kind}s`;
    await app.dataSource.query(`UPDATE ${table} SET visibility = 20 WHERE id = $1`, [home.id]);
    const stranger = await makeActor(app);
    for (const client of [stranger.api, api(app.url)]) {
      expect((await client.get(home.path).expect(401)).body).toEqual(UNAUTHORIZED);
      expect((await client.get(`${home.path}/1`).expect(401)).body).toEqual(UNAUTHORIZED);
    }
  });

  it('never includes bots when it comes to making further tokens', async () => {
    const home = await makeHome(app, kind);
    const admin = await makeAdmin(app);
    const attributes = { name: 'Robot', scopes: ['api'], access_level: 50 };
    const { body: bot } = await admin.api.post(home.path, attributes).expect(201);
    const answer = await as(app, bot)
      .post(home.path, { name: 'x', scopes: ['api'] })
      .expect(400);
    const text = `User does not have permission to create ${kind} access token`;
    expect(answer.body).toEqual(badRequest(text));
    expect((await as(app, bot).get(home.path).expect(200)).body).toHaveLength(1);
  });

  it('wants the scopes api, or read_api for reading', async () => {
    const home = await makeHome(app, kind);
    const token = await makeToken(app, home.manager.user, { scopes: ['read_api'] });
    const reader = api(app.url, token);
    await reader.get(home.path).expect(200);
    await reader.post(home.path, { name: 'x', scopes: ['api'] }).expect(403);
    await reader.post(`${home.path}/1/rotate`).expect(403);
  });
});

describe.each(KINDS)('GET /%ss/:id/access_tokens', (kind) => {
  it('lists the tokens of this home alone, without their values', async () => {
    const [home, other] = [await makeHome(app, kind), await makeHome(app, kind)];
    await createToken(other);
    const first = withoutValue(await createToken(home, { name: 'First' }));
    const second = withoutValue(await createToken(home, { name: 'Second' }));
    await makeToken(app, home.manager.user);
    const { body, headers } = await home.manager.api.get(home.path).expect(200);
    expect(body).toEqual([first, second]);
    expect(headers['x-total']).toBe('2');
    const page = await home.manager.api.get(`${home.path}?per_page=1&page=2`).expect(200);
    expect(page.body).toEqual([second]);
  });

  it('filters by state, name and days, and sorts', async () => {
    const home = await makeHome(app, kind);
    const live = await createToken(home, { name: 'Live', expires_at: day(10) });
    const gone = await createToken(home, { name: 'Revoked', expires_at: day(20) });
    const old = await createToken(home, { name: 'Old' });
    await home.manager.api.delete(`${home.path}/${gone.id}`).expect(204);
    await expire(app, old);
    const ids = async (query: string): Promise<number[]> => {
      const { body } = await home.manager.api.get(`${home.path}?${query}`).expect(200);
      return (body as { id: number }[]).map(({ id }) => id);
    };
    expect(await ids('state=active')).toEqual([live.id]);
    expect(await ids('state=inactive')).toEqual([gone.id, old.id]);
    expect(await ids('revoked=true')).toEqual([gone.id]);
    expect(await ids('search=iv')).toEqual([live.id]);
    expect(await ids(`expires_after=${day(15)}`)).toEqual([gone.id]);
    expect(await ids('sort=name_desc')).toEqual([gone.id, old.id, live.id]);
    await home.manager.api.get(`${home.path}?state=odd`).expect(400);
  });

  it('shows one, and 404 for one that is not its own', async () => {
    const [home, other] = [await makeHome(app, kind), await makeHome(app, kind)];
    const mine = withoutValue(await createToken(home));
    const foreign = await createToken(other);
    const shown = await home.manager.api.get(`${home.path}/${mine.id}`).expect(200);
    expect(shown.body).toEqual(mine);
    for (const id of [foreign.id, 0, 99_999_999]) {
      const { body } = await home.manager.api.get(`${home.path}/${id}`).expect(404);
      expect(body).toEqual(notFound(kind));
    }
    const invalid = await home.manager.api.get(`${home.path}/abc`).expect(400);
    expect(invalid.body.error).toBe('token_id is invalid');
  });
});

describe.each(KINDS)('DELETE /%ss/:id/access_tokens/:token_id', (kind) => {
  it('ends the token at once; its bot stays a member', async () => {
    const home = await makeHome(app, kind);
    const token = await createToken(home);
    await as(app, token).get(`/${kind}s/${home.id}`).expect(200);
    await home.manager.api.delete(`${home.path}/${token.id}`).expect(204);
    const { body } = await as(app, token).get(`/${kind}s/${home.id}`).expect(401);
    expect(body.error).toBe('invalid_token');
    expect(await roleOfBot(app, home, token.user_id)).toBe('maintainer');
    const shown = await home.manager.api.get(`${home.path}/${token.id}`).expect(200);
    expect(shown.body).toMatchObject({ revoked: true, active: false, access_level: 40 });
    const again = await home.manager.api.delete(`${home.path}/${token.id}`);
    expect(again.status).toBe(204);
  });

  it('answers 404 for the token of another home and 412 for a stale condition', async () => {
    const [home, other] = [await makeHome(app, kind), await makeHome(app, kind)];
    const [mine, foreign] = [await createToken(home), await createToken(other)];
    const { body } = await home.manager.api.delete(`${home.path}/${foreign.id}`).expect(404);
    expect(body).toEqual(notFound(kind));
    await home.manager.api
      .delete(`${home.path}/${mine.id}`)
      .set('If-Unmodified-Since', 'Wed, 01 Jan 2020 00:00:00 GMT')
      .expect(412);
    await as(app, mine).get('/user').expect(200);
  });
});

describe.each(KINDS)('POST /%ss/:id/access_tokens/:token_id/rotate', (kind) => {
  it('answers a new token of the same bot and ends the old one', async () => {
    const home = await makeHome(app, kind);
    const old = await createToken(home, { access_level: 20, description: 'why' });
    const path = `${home.path}/${old.id}/rotate`;
    const { body } = await home.manager.api.post(path).expect(200);
    expect(body).toEqual({
      ...old,
      id: expect.any(Number),
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: day(7),
      token: expect.stringMatching(/^svcpat-/),
    });
    expect(body.token).not.toBe(old.token);
    await as(app, old).get('/user').expect(401);
    expect((await as(app, body).get('/user').expect(200)).body.id).toBe(old.user_id);
    const again = await home.manager.api.post(path).expect(400);
    expect(again.body).toEqual(badRequest('Token already revoked'));
  });

  it('takes a day, and refuses one that is too far away', async () => {
    const home = await makeHome(app, kind);
    const { id } = await createToken(home);
    const path = `${home.path}/${id}/rotate`;
    await home.manager.api.post(path, { expires_at: day(500) }).expect(400);
    const { body } = await home.manager.api.post(path, { expires_at: day(3) }).expect(200);
    expect(body.expires_at).toBe(day(3));
  });

  it('knows only its own tokens', async () => {
    const [home, other] = [await makeHome(app, kind), await makeHome(app, kind)];
    const foreign = await createToken(other);
    const own = await app.dataSource.manager.findOneByOrFail(AccessToken, {
      userId: home.manager.user.id,
    });
    for (const id of [foreign.id, own.id]) {
      const { body } = await home.manager.api.post(`${home.path}/${id}/rotate`).expect(404);
      expect(body).toEqual(notFound(kind));
    }
  });
});

describe('rotating the token of a bot above oneself', () => {
  it('is refused: its new value would be a promotion', async () => {
    const home = await makeHome(app, 'project');
    const admin = await makeAdmin(app);
    const attributes = { name: 'x', scopes: ['api'], access_level: 50 };
    const { body: token } = await admin.api.post(home.path, attributes).expect(201);
    const path = `${home.path}/${token.id}/rotate`;
    const { body } = await home.manager.api.post(path).expect(400);
    const text = 'Not eligible to rotate token with access level higher than the user';
    expect(body).toEqual(badRequest(text));
    await as(app, token).get('/user').expect(200);
    await admin.api.post(path).expect(200);
  });
});

describe.each(KINDS)('POST /%ss/:id/access_tokens/self/rotate', (kind) => {
  it('replaces the token that is presented, whatever the role of its bot', async () => {
    const home = await makeHome(app, kind);
    const old = await createToken(home, { scopes: ['self_rotate'], access_level: 10 });
    const { body } = await as(app, old).post(`${home.path}/self/rotate`).expect(200);
    expect(body).toMatchObject({ user_id: old.user_id, scopes: ['self_rotate'], access_level: 10 });
    await as(app, old).get('/personal_access_tokens/self').expect(401);
    await as(app, body).get('/personal_access_tokens/self').expect(200);
    await as(app, body).get(home.path).expect(403);
  });

  it('is for tokens of this home with the scope api or self_rotate', async () => {
    const [home, other] = [await makeHome(app, kind), await makeHome(app, kind)];
    const path = `${home.path}/self/rotate`;
    const reader = await createToken(home, { scopes: ['read_api'] });
    await as(app, reader).post(path).expect(403);
    const { body } = await home.manager.api.post(path).expect(404);
    expect(body).toEqual(notFound(kind));
    await as(app, await createToken(other))
      .post(path)
      .expect(404);
    const oauth = await makeToken(app, home.manager.user, { kind: 'oauth' });
    const answer = await api(app.url).post(path).set('Authorization', `Bearer ${oauth}`);
    expect(answer.status).toBe(405);
    await as(app, await createToken(home))
      .post(path)
      .expect(200);
  });

  it('ends the whole family when a revoked token is presented', async () => {
    const home = await makeHome(app, kind);
    const old = await createToken(home);
    const path = `${home.path}/self/rotate`;
    const { body: successor } = await as(app, old).post(path).expect(200);
    await as(app, successor).get('/user').expect(200);
    await as(app, old).get('/user').expect(401);
    await as(app, successor).get('/user').expect(200);
    await as(app, old).post(path).expect(401);
    await as(app, successor).get('/user').expect(401);
  });
});
