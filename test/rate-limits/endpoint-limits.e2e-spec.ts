import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, Param, Post } from '@nestjs/common';
import type { Test } from 'supertest';
import { Ability, Scopes } from '../../src/core/access/access.decorator.js';
import { RateLimit } from '../../src/core/rate-limits/named-limits.js';
import { cloneUrl } from '../git-http/world.js';
import { api } from '../support/api-client.js';
import type { OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique } from '../support/factories.js';
import { makeProject } from '../support/project-factories.js';
import { makeGitSandbox } from '../support/git.js';
import { changeSettings } from '../support/settings.js';
import { newAddress, startLimitedApp, tallyOf } from './limited-app.js';

/** An endpoint of a kind that the API does not have, so far. */
@Controller('limited')
@Scopes()
@Ability('anyone')
class LimitedController {
  @Post('hooks/:id')
  @RateLimit('webhooks')
  receive(@Param('id') id: string): { id: string } {
    return { id };
  }
}

@Module({ controllers: [LimitedController] })
class LimitedModule {}

const TOO_MANY = 'This endpoint has been requested too many times. Try again later.';
let app: OwnTestApp;
beforeAll(async () => {
  app = await startLimitedApp(
    {
      search_rate_limit: 3,
      search_rate_limit_unauthenticated: 2,
      users_get_by_id_limit: 2,
      projects_api_rate_limit_unauthenticated: 2,
      create_rate_limit: 2,
      token_creation_rate_limit: 2,
      throttle_webhooks_requests_per_minute: 2,
    },
    {
      imports: [LimitedModule],
      env: { TRUST_PROXY: 'loopback' },
    },
  );
});
afterAll(() => app.close());

async function statuses(count: number, send: () => Test): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push((await send()).status);
  return found;
}

describe('an endpoint over its own limit', () => {
  it('returns 429 with the reason as JSON and the seconds until its limit resets', async () => {
    const actor = await makeActor(app);
    const show = (): Test => actor.api.get(`/users/${actor.user.id}`);
    await statuses(2, show);
    const { status, headers, body } = await show();
    expect({ status, body }).toEqual({ status: 429, body: { message: { error: TOO_MANY } } });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '590' });
    expect(tallyOf(headers)).toEqual({
      name: 'users_get_by_id_limit',
      limit: 1,
      observed: 3,
      remaining: 0,
      reset: Date.UTC(2031, 0, 1, 12, 10) / 1000,
    });
    expect((await actor.api.get('/user')).status).toBe(200);
  });

  it('is open to other users, and to administrators when it looks up users', async () => {
    const [actor, other, admin] = await Promise.all([
      makeActor(app),
      makeActor(app),
      makeAdmin(app),
    ]);
    const path = `/users/${actor.user.id}`;
    expect(await statuses(3, () => actor.api.get(path))).toEqual([200, 200, 429]);
    expect((await other.api.get(path)).status).toBe(200);
    expect(await statuses(4, () => admin.api.get(path))).toEqual([200, 200, 200, 200]);
  });

  it('is unlimited by the setting 0', async () => {
    const actor = await makeActor(app);
    await changeSettings(app, { users_get_by_id_limit: 0 });
    const found = await statuses(4, () => actor.api.get(`/users/${actor.user.id}`));
    await changeSettings(app, { users_get_by_id_limit: 2 });
    expect(found).toEqual([200, 200, 200, 200]);
  });
});

describe('searches', () => {
  it('of a user are limited together over all lists', async () => {
    const { api: client } = await makeActor(app);
    const lists = ['/projects', '/groups', '/users', '/namespaces'];
    const found: number[] = [];
    for (const list of lists) found.push((await client.get(`${list}?search=abc`)).status);
    expect(found).toEqual([200, 200, 200, 429]);
    expect((await client.get('/groups?search=')).status).toBe(200);
    expect((await client.get('/groups')).status).toBe(200);
  });

  it('without a user are limited by address', async () => {
    const address = newAddress();
    const search = (): Test =>
      api(app.url).get('/groups?s%65arch=abc').set('X-Forwarded-For', address);
    expect(await statuses(3, search)).toEqual([200, 200, 429]);
    expect((await search().set('X-Forwarded-For', newAddress())).status).toBe(200);
  });
});

describe('lists of projects', () => {
  it('are limited for who is not signed in only', async () => {
    const [address, actor] = [newAddress(), await makeActor(app)];
    const anonymous = (): Test => api(app.url).get('/projects').set('X-Forwarded-For', address);
    expect(await statuses(3, anonymous)).toEqual([200, 200, 429]);
    expect(await statuses(3, () => actor.api.get('/projects'))).toEqual([200, 200, 200]);
  });
});

describe('making things', () => {
  const snippet = (): object => ({
    title: unique('Title'),
    files: [{ file_path: 'a.txt', content: 'a' }],
    visibility: 'public',
  });

  it('is limited by user, refused attempts included', async () => {
    const actor = await makeActor(app);
    const found = [
      await actor.api.post('/snippets', snippet()),
      await actor.api.post('/snippets', {}),
      await actor.api.post('/snippets', snippet()),
    ];
    expect(found.map(({ status }) => status)).toEqual([201, 400, 429]);
  });

  it('counts snippets of projects, too', async () => {
    const actor = await makeActor(app);
    const project = await makeProject(app, { namespaceId: actor.user.namespaceId });
    const path = `/projects/${project.id}/snippets`;
    const found = await statuses(3, () => actor.api.post(path, {}));
    expect(found).toEqual([400, 400, 429]);
  });

  it('counts comments, too', async () => {
    const actor = await makeActor(app);
    const project = await makeProject(app, { namespaceId: actor.user.namespaceId });
    const notes = `/projects/${project.id}/issues/1/notes`;
    const found = [
      ...(await statuses(2, () => actor.api.post(notes, {}))),
      ...(await statuses(1, () => actor.api.post(`/projects/${project.id}/environments`, {}))),
    ];
    expect(found).toEqual([400, 400, 429]);
  });

  it('counts issues together with snippets', async () => {
    const actor = await makeActor(app);
    const project = await makeProject(app, { namespaceId: actor.user.namespaceId });
    const found = [
      await actor.api.post(`/projects/${project.id}/issues`, {}),
      await actor.api.post('/snippets', {}),
      await actor.api.post(`/projects/${project.id}/issues`, {}),
    ];
    expect(found.map(({ status }) => status)).toEqual([400, 400, 429]);
  });

  it('counts access tokens on their own, made or rotated', async () => {
    const actor = await makeActor(app);
    const found = [
      await actor.api.post('/user/personal_access_tokens', {}),
      await actor.api.post('/personal_access_tokens/self/rotate', { expires_at: 'soon' }),
      await actor.api.post('/user/personal_access_tokens', {}),
    ];
    expect(found.map(({ status }) => status)).toEqual([400, 400, 429]);
    expect((await actor.api.post('/snippets', {})).status).toBe(400);
  });
});

describe('receivers of webhooks', () => {
  it('are limited by project, for all senders', async () => {
    const [first, second] = await Promise.all([makeActor(app), makeActor(app)]);
    const found = [
      await first.api.post('/limited/hooks/7'),
      await second.api.post('/limited/hooks/7'),
      await api(app.url).post('/limited/hooks/7'),
      await first.api.post('/limited/hooks/8'),
    ];
    expect(found.map(({ status }) => status)).toEqual([201, 201, 429, 201]);
  });
});

describe('merge requests created by push options', () => {
  it('count like those created through the API', async () => {
    const [actor, git] = await Promise.all([makeActor(app), makeGitSandbox()]);
    const { namespaceId } = actor.user;
    const project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
    await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, actor.token), 'clone']);
    await git.commit('clone', 'b.txt', 'b');
    const branches = ['one', 'two', 'three'];
    const refs = branches.map((name) => `HEAD:refs/heads/${name}`);
    const { code, stderr } = await git.try(
      ['push', '-o', 'merge_request.create', 'origin', ...refs],
      'clone',
    );
    await git.remove();
    expect(code).toBe(0);
    expect(stderr).toContain('three: Too many merge requests created. Try again later.');
    const found = await actor.api.get(`/projects/${project.id}/merge_requests`);
    const names = (found.body as { source_branch: string }[]).map((one) => one.source_branch);
    expect(names.sort()).toEqual(['one', 'two']);
  });
});
