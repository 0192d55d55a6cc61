import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES } from '../../src/identity/members/roles.js';
import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { User } from '../../src/identity/users/user.entity.js';
import { cloneUrl } from '../git-http/world.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';
import { startTestWorker } from '../support/worker.js';
import { as, createToken, makeHome, roleOfBot, type Home, type Kind } from './world.js';

const KINDS = ['project', 'group'] as const;

let app: OwnTestApp;
let worker: INestApplicationContext;
let sandbox: GitSandbox;
beforeAll(async () => {
  [app, sandbox] = await Promise.all([startTestApp(), makeGitSandbox()]);
  worker = await startTestWorker(app);
});
afterAll(async () => {
  await worker.close();
  await Promise.all([app.close(), sandbox.remove()]);
});

function isGone(userId: number): Promise<boolean> {
  return eventually(async () => (await app.dataSource.manager.countBy(User, { id: userId })) === 0);
}

/** Path of the memberships of the home. */
function membersOf({ kind, id }: Home): string {
  return `/${kind}s/${id}/members`;
}

describe.each(KINDS)('the bot of a %s access token', (kind: Kind) => {
  it('is listed as a bot, and left out by the filters for people', async () => {
    const home = await makeHome(app, kind);
    const { user_id: id } = await createToken(home, { name: 'Listed' });
    const admin = await makeAdmin(app);
    const { body: bot } = await admin.api.get(`/users/${id}`).expect(200);
    const names = async (query: string): Promise<string[]> => {
      const { body } = await admin.api.get(`/users?search=${bot.username}${query}`).expect(200);
      return (body as { username: string; bot: boolean }[]).map((user) => user.username);
    };
    expect(bot).toMatchObject({ bot: true, namespace_id: null, external: true });
    expect(await names('')).toEqual([bot.username]);
    expect(await names('&exclude_humans=true')).toEqual([bot.username]);
    expect(await names('&without_project_bots=true')).toEqual([]);
    expect(await names('&humans=true')).toEqual([]);
  });

  it('is renamed by administrators like any other user', async () => {
    const { user_id: id } = await createToken(await makeHome(app, kind));
    const admin = await makeAdmin(app);
    const { body } = await admin.api.put(`/users/${id}`, { name: 'New name' }).expect(200);
    expect(body).toMatchObject({ name: 'New name', bot: true });
  });

  it('may what its role lets it, and nothing by being signed in', async () => {
    const home = await makeHome(app, kind);
    const token = await createToken(home, { access_level: 30 });
    const bot = as(app, token);
    const elsewhere = await makeGroup(app, { visibility: 'internal' });
    const project = await makeProject(app, { namespaceId: elsewhere.id, visibility: 'internal' });
    await bot.get(`/${kind}s/${home.id}`).expect(200);
    await bot.get(`/projects/${project.id}`).expect(404);
    await bot.get(`/groups/${elsewhere.id}`).expect(404);
    await bot.post('/projects', { name: 'mine' }).expect(400);
    await bot.post('/groups', { name: 'mine', path: 'mine' }).expect(403);
    await bot.post(`${membersOf(home)}`, { user_id: 1, access_level: 10 }).expect(403);
    await bot.get('/user').expect(200);
    const reader = await createToken(home, { scopes: ['read_api'] });
    await as(app, reader).put(`/${kind}s/${home.id}`, { description: 'x' }).expect(403);
    await as(app, await createToken(home))
      .get(membersOf(home))
      .expect(200);
  });

  it('is helpless without its membership, until it is a member again', async () => {
    const home = await makeHome(app, kind);
    const token = await createToken(home);
    const path = `/${kind}s/${home.id}`;
    await home.manager.api.delete(`${membersOf(home)}/${token.user_id}`).expect(204);
    await as(app, token).get(path).expect(404);
    await as(app, token).post(`${home.path}/self/rotate`).expect(404);
    const shown = await home.manager.api.get(`${home.path}/${token.id}`).expect(200);
    expect(shown.body).not.toHaveProperty('access_level');
    const member = { user_id: token.user_id, access_level: 20 };
    await home.manager.api.post(membersOf(home), member).expect(201);
    await as(app, token).get(path).expect(200);
    expect(await roleOfBot(app, home, token.user_id)).toBe('reporter');
  });

  it('joins no other project or group', async () => {
    const [home, other] = [await makeHome(app, kind), await makeHome(app, kind)];
    const { user_id } = await createToken(home);
    const { body } = await other.manager.api
      .post(membersOf(other), { user_id, access_level: 10 })
      .expect(400);
    const text = 'project bots cannot be added to other groups / projects';
    expect(body).toEqual({ message: { user: [text] } });
  });

  it('creates no job tokens', async () => {
    const home = await makeHome(app, kind);
    const project = kind === 'project' ? home : await makeProject(app, { namespaceId: home.id });
    const bot = as(app, await createToken(home));
    await bot.post(`/projects/${project.id}/job_tokens`).expect(403);
  });

  it('permanently loses its token when its creator is blocked', async () => {
    const home = await makeHome(app, kind);
    const token = await createToken(home);
    await as(app, token).get('/user').expect(200);
    const admin = await makeAdmin(app);
    const { created_by: creator } = (
      await admin.api.get(`${membersOf(home)}/${token.user_id}`).expect(200)
    ).body as { created_by: { id: number } };
    await admin.api.post(`/users/${creator.id}/block`).expect(201);
    await eventually(() => as(app, token).get('/user').expect(401));
    await admin.api.post(`/users/${creator.id}/unblock`).expect(201);
    await as(app, token).get('/user').expect(401);
    const { body } = await admin.api.get(`/${kind}s/${home.id}/access_tokens`).expect(200);
    expect(body).toMatchObject([{ id: token.id, revoked: true, active: false }]);
  });

  it('stops when it is blocked', async () => {
    const token = await createToken(await makeHome(app, kind));
    await (await makeAdmin(app)).api.post(`/users/${token.user_id}/block`).expect(201);
    await eventually(() => as(app, token).get('/user').expect(403));
  });

  it('clones and pushes as its role and scopes say', async () => {
    const home = await makeHome(app, kind);
    const files = { 'README.md': '# Hello\n' };
    const { fullPath } =
      kind === 'project' ? home : await makeProject(app, { namespaceId: home.id, files });
    const writer = await createToken(home, { scopes: ['write_repository'] });
    const url = cloneUrl(app, fullPath, writer.token);
    const clone = `clone-${kind}`;
    await sandbox.run(['clone', '--quiet', url, clone]);
    const commit = await sandbox.commit(clone, 'bot.txt', 'made by a bot\n');
    await sandbox.run(['push', '--quiet', 'origin', 'main'], clone);
    expect(await sandbox.run(['ls-remote', url, 'refs/heads/main'])).toContain(commit);

    await sandbox.commit(clone, 'more.txt', 'more\n');
    const push = async (attributes: object): Promise<string> => {
      const { token } = await createToken(home, attributes);
      const target = cloneUrl(app, fullPath, token);
      await sandbox.run(['ls-remote', target]);
      const { code, stderr } = await sandbox.try(['push', target, 'main'], clone);
      expect(code).not.toBe(0);
      return stderr;
    };
    const refusal = /403|not allowed/;
    expect(await push({ scopes: ['read_repository'] })).toMatch(refusal);
    expect(await push({ scopes: ['write_repository'], access_level: 20 })).toMatch(refusal);
    expect(await push({ scopes: ['write_repository'], access_level: 30 })).toMatch(refusal);
    await home.manager.api.delete(`${home.path}/${writer.id}`).expect(204);
    expect((await sandbox.try(['ls-remote', url])).code).not.toBe(0);
  });

  it('goes with its home, and what it wrote elsewhere stays', async () => {
    const home = await makeHome(app, kind);
    const { id, user_id, token } = await createToken(home);
    const snippet = await makeSnippet(app, { authorId: user_id });
    const admin = await makeAdmin(app);
    await admin.api.delete(`/${kind}s/${home.id}`).expect(202);
    await isGone(user_id);
    await as(app, { token }).get('/user').expect(401);
    expect(await app.dataSource.manager.countBy(AccessToken, { id })).toBe(0);
    const left = await app.dataSource.manager.findOneByOrFail(Snippet, { id: snippet.id });
    const author = await app.dataSource.manager.findOneByOrFail(User, { id: left.authorId });
    expect(author.name).toBe('Ghost User');
  });
});

describe.each(KINDS)('creating tokens of a %s while it is deleted', (kind: Kind) => {
  it('leaves no bot behind', async () => {
    const home = await makeHome(app, kind);
    const admin = await makeAdmin(app);
    const body = { name: 'x', scopes: ['api'] };
    const create = (): PromiseLike<{ status: number }> => admin.api.post(home.path, body);
    const early = Array.from({ length: 6 }, create);
    const deletion = admin.api.delete(`/${kind}s/${home.id}`).expect(202);
    const answers = await Promise.all([...early, deletion, ...Array.from({ length: 6 }, create)]);
    for (const { status } of answers) expect([201, 202, 404]).toContain(status);
    await eventually(async () => {
      const [left] = await app.dataSource.query<{ n: number }[]>(
        `SELECT (SELECT count(*) FROM ${kind}s WHERE id = $1)
           + (SELECT count(*) FROM users WHERE username LIKE $2) AS n`,
        [home.id, `${kind}\\_${home.id}\\_bot\\_%`],
      );
      return Number(left?.n) === 0;
    });
  });
});

describe('bots of what lies in a group', () => {
  it('go with the group', async () => {
    const owner = await makeActor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user: owner.user, role: 'owner' });
    const subgroup = await makeGroup(app, { parentId: group.id });
    const project = await makeProject(app, { namespaceId: subgroup.id });
    const body = { name: 'x', scopes: ['api'] };
    const bots: number[] = [];
    for (const path of [
      `/groups/${group.id}`,
      `/groups/${subgroup.id}`,
      `/projects/${project.id}`,
    ]) {
      const answer = await owner.api.post(`${path}/access_tokens`, body).expect(201);
      bots.push((answer.body as { user_id: number }).user_id);
    }
    await owner.api.delete(`/groups/${group.id}`).expect(202);
    for (const id of bots) await isGone(id);
  });
});

describe('a bot that is Owner of a group', () => {
  it('does not count as the required owner of a group', async () => {
    const home = await makeHome(app, 'group');
    const { user_id } = await createToken(home, { access_level: ROLES.owner });
    const { manager } = home;
    await manager.api.delete(`${membersOf(home)}/${manager.user.id}`).expect(403);
    const admin = await makeAdmin(app);
    await admin.api.delete(`/users/${manager.user.id}`).expect(409);
    await manager.api.delete(`${membersOf(home)}/${user_id}`).expect(204);
  });

  it('is deleted by administrators with its tokens', async () => {
    const home = await makeHome(app, 'group');
    const token = await createToken(home, { access_level: ROLES.owner });
    await (await makeAdmin(app)).api.delete(`/users/${token.user_id}`).expect(204);
    await as(app, token).get('/user').expect(401);
    expect((await home.manager.api.get(home.path).expect(200)).body).toEqual([]);
  });
});
