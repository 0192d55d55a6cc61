import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import request from 'supertest';
import { credentialDigest } from '../../src/core/secrets.js';
import { ROLES, type Role } from '../../src/identity/members/roles.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { User } from '../../src/identity/users/user.entity.js';
import { basic, cloneUrl, makeRepository, raw, type RawAnswer } from '../git-http/world.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, makeToken, type MadeActor } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { makeMember, makeProject, type MadeProject } from '../support/project-factories.js';

const UNAUTHORIZED = { message: '401 Unauthorized' };
const HOUR_MS = 3_600_000;

let app: TestApp;
let sandbox: GitSandbox;
beforeAll(async () => {
  [app, sandbox] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
});
afterAll(() => sandbox.remove());

interface JobToken {
  id: number;
  token: string;
}

/** A private project with code, and someone with this role in it. */
async function world(
  role: Role = 'developer',
): Promise<{ actor: MadeActor; project: MadeProject }> {
  const [owner, actor] = [await makeActor(app), await makeActor(app)];
  const project = await makeProject(app, {
    namespaceId: owner.user.namespaceId,
    files: { 'README.md': '# Hello\n' },
  });
  await makeMember(app, { project, user: actor.user, role });
  return { actor, project };
}

async function mint(actor: MadeActor, project: { id: number }, body = {}): Promise<JobToken> {
  const answer = await actor.api.post(`/projects/${project.id}/job_tokens`, body).expect(201);
  return answer.body as JobToken;
}

function getJob(headers: Record<string, string>, query = ''): request.Test {
  return request(app.url).get(`/api/v4/job${query}`).set(headers);
}

function discover(path: string, token: string, user = 'svc-ci-token'): Promise<RawAnswer> {
  return raw(app, `/${path}.git/info/refs?service=git-upload-pack`, {
    headers: { Authorization: basic(token, user) },
  });
}

describe('POST /projects/:id/job_tokens', () => {
  it('creates a token for an hour and shows its value this once', async () => {
    const { actor, project } = await world();
    const { body } = await actor.api.post(`/projects/${project.id}/job_tokens`).expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      project_id: project.id,
      user_id: actor.user.id,
      created_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      token: expect.stringMatching(/^svcjt-[0-9a-v]{32}$/),
    });
    const life = Date.parse(body.expires_at) - Date.parse(body.created_at);
    expect(Math.abs(life - HOUR_MS)).toBeLessThan(60_000);
    const row = await app.dataSource.manager.findOneByOrFail(AccessToken, { id: body.id });
    expect(row).toMatchObject({
      kind: 'job',
      projectId: project.id,
      lastFour: body.token.slice(-4),
    });
    expect(row.digest.equals(credentialDigest(body.token))).toBe(true);
  });

  it('takes a life of up to a day', async () => {
    const { actor, project } = await world();
    const path = `/projects/${project.id}/job_tokens`;
    const { body } = await actor.api.post(path, { expires_in: 86_400 }).expect(201);
    const life = Date.parse(body.expires_at) - Date.parse(body.created_at);
    expect(Math.abs(life - 24 * HOUR_MS)).toBeLessThan(60_000);
    for (const expires_in of [86_401, 0, -5]) {
      const { body: refusal } = await actor.api.post(path, { expires_in }).expect(400);
      expect(refusal.error).toBe('expires_in has a value not allowed');
    }
  });

  it('is for Developers and above', async () => {
    for (const role of ['guest', 'planner', 'reporter'] as const) {
      const { actor, project } = await world(role);
      await actor.api.post(`/projects/${project.id}/job_tokens`).expect(403);
    }
    for (const role of ['developer', 'maintainer', 'owner'] as const) {
      const { actor, project } = await world(role);
      await actor.api.post(`/projects/${project.id}/job_tokens`).expect(201);
    }
    const { project } = await world();
    await (await makeActor(app)).api.post(`/projects/${project.id}/job_tokens`).expect(404);
    await api(app.url).post(`/projects/${project.id}/job_tokens`).expect(401);
  });

  it('is not for bots, whose access token it would outlive', async () => {
    const { actor, project } = await world();
    await app.dataSource.manager.update(User, { id: actor.user.id }, { userType: 'project_bot' });
    const { body } = await actor.api.post(`/projects/${project.id}/job_tokens`).expect(403);
    expect(body).toEqual({ message: '403 Forbidden - Bots cannot create job tokens' });
  });

  it('wants the scope api', async () => {
    const { actor, project } = await world();
    const token = await makeToken(app, actor.user, { scopes: ['read_api', 'write_repository'] });
    await api(app.url, token).post(`/projects/${project.id}/job_tokens`).expect(403);
  });

  it('is on record without the value', async () => {
    const { actor, project } = await world();
    const { id, token } = await mint(actor, project);
    const rows = await app.dataSource.query(
      `SELECT author_id, action, entity_type, entity_id, details FROM audit_events
       WHERE target_type = 'AccessToken' AND target_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        author_id: actor.user.id,
        action: 'access_token_created',
        entity_type: 'Project',
        entity_id: project.id,
        details: expect.objectContaining({ kind: 'job', user_id: actor.user.id }),
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('forgets tokens of the project that ended more than a day ago', async () => {
    const { actor, project } = await world();
    const [old, recent] = [await mint(actor, project), await mint(actor, project)];
    const end = (id: number, hours: number): Promise<unknown> =>
      app.dataSource.manager.update(
        AccessToken,
        { id },
        { expiresAt: new Date(Date.now() - hours * HOUR_MS) },
      );
    await end(old.id, 25);
    await end(recent.id, 23);
    await mint(actor, project);
    const left = await app.dataSource.manager.findBy(AccessToken, { projectId: project.id });
    expect(left.map(({ id }) => id)).not.toContain(old.id);
    expect(left.map(({ id }) => id)).toContain(recent.id);
  });
});

describe('GET /job', () => {
  it('describes the job of the token, which comes by header, parameter or Basic', async () => {
    const { actor, project } = await world();
    const { id, token } = await mint(actor, project);
    const answers = [
      await getJob({ 'JOB-TOKEN': token }).expect(200),
      await getJob({}, `?job_token=${token}`).expect(200),
      await getJob({ Authorization: basic(token, 'svc-ci-token') }).expect(200),
      await getJob({ Authorization: basic(token, 'gitlab-ci-token') }).expect(200),
    ];
    const webUrl = `${app.url}/${project.fullPath}`;
    for (const { body } of answers) {
      expect(body).toEqual({
        id,
        project: {
          id: project.id,
          name: project.name,
          path: project.path,
          path_with_namespace: project.fullPath,
          http_url_to_repo: `${webUrl}.git`,
          web_url: webUrl,
        },
        user: {
          id: actor.user.id,
          username: actor.user.username,
          name: actor.user.name,
          state: 'active',
          locked: false,
          avatar_url: null,
          web_url: `${app.url}/${actor.user.username}`,
        },
        expires_at: expect.stringMatching(/Z$/),
      });
    }
  });

  it('knows no job of any other credential', async () => {
    const { actor } = await world();
    expect((await actor.api.get('/job').expect(404)).body).toEqual({
      message: '404 Job Not Found',
    });
    expect((await api(app.url).get('/job').expect(401)).body).toEqual(UNAUTHORIZED);
    for (const wrong of [actor.token, 'svcjt-nope']) {
      expect((await getJob({ 'JOB-TOKEN': wrong }).expect(401)).body).toEqual(UNAUTHORIZED);
    }
    const { token } = await mint(...(await worldPair()));
    await getJob({ 'PRIVATE-TOKEN': token }).expect(401);
    await getJob({ Authorization: `Bearer ${token}` }).expect(401);
    await getJob({ Authorization: basic(token, 'oauth2') }).expect(401);
  });

  it('looks at the job token before any other credential', async () => {
    const { actor, project } = await world();
    const { id, token } = await mint(actor, project);
    const { body } = await getJob({ 'JOB-TOKEN': token, 'PRIVATE-TOKEN': actor.token }).expect(200);
    expect(body.id).toBe(id);
    await getJob({ 'JOB-TOKEN': 'svcjt-nope', 'PRIVATE-TOKEN': actor.token }).expect(401);
  });

  it('tells that a token has ended or that its user is blocked', async () => {
    const { actor, project } = await world();
    const { id, token } = await mint(actor, project);
    const past = new Date(Date.now() - 1_000);
    await app.dataSource.manager.update(AccessToken, { id }, { expiresAt: past });
    const { body } = await getJob({ 'JOB-TOKEN': token }).expect(401);
    expect(body.error).toBe('invalid_token');

    const second = await mint(actor, project);
    await (await makeAdmin(app)).api.post(`/users/${actor.user.id}/block`).expect(201);
    const blocked = await getJob({ 'JOB-TOKEN': second.token }).expect(403);
    expect(blocked.body).toEqual({ message: '403 Forbidden - Your account has been blocked.' });
  });

  it('ends with the role that justified the token, and with the project', async () => {
    const { actor, project } = await world();
    const { token } = await mint(actor, project);
    const owner = await makeAdmin(app);
    const member = `/projects/${project.id}/members/${actor.user.id}`;
    await owner.api.put(member, { access_level: ROLES.reporter }).expect(200);
    await getJob({ 'JOB-TOKEN': token }).expect(401);
    await owner.api.put(member, { access_level: ROLES.developer }).expect(200);
    await getJob({ 'JOB-TOKEN': token }).expect(200);
    await owner.api.delete(`/projects/${project.id}`).expect(202);
    await getJob({ 'JOB-TOKEN': token }).expect(401);
  });

  it('works for administrators without any membership', async () => {
    const { project } = await world();
    const { token } = await mint(await makeAdmin(app), project);
    await getJob({ 'JOB-TOKEN': token }).expect(200);
  });

  it('never acts as another user', async () => {
    const { project } = await world();
    const { token } = await mint(await makeAdmin(app), project);
    await getJob({ 'JOB-TOKEN': token, Sudo: 'root' }).expect(403);
  });
});

async function worldPair(): Promise<[MadeActor, MadeProject]> {
  const { actor, project } = await world();
  return [actor, project];
}

describe('endpoints that do not ask for job tokens', () => {
  it('ignore the header and the parameter', async () => {
    const { actor, project } = await world();
    const { token } = await mint(actor, project);
    const hidden = request(app.url).get(`/api/v4/projects/${project.id}`);
    await hidden.set('JOB-TOKEN', token).expect(404);
    await request(app.url).get('/api/v4/user').query({ job_token: token }).expect(401);
    await request(app.url).get('/api/v4/version').set('JOB-TOKEN', token).expect(401);
    const other = await makeActor(app);
    const { body } = await other.api.get('/user').set('JOB-TOKEN', token).expect(200);
    expect(body.id).toBe(other.user.id);
  });

  it('refuse the value wherever other tokens are presented', async () => {
    const { actor, project } = await world();
    const { token } = await mint(actor, project);
    const get = (): request.Test => request(app.url).get('/api/v4/user');
    await get().set('PRIVATE-TOKEN', token).expect(401);
    await get().set('Authorization', `Bearer ${token}`).expect(401);
    await get().query({ private_token: token }).expect(401);
    await get().query({ access_token: token }).expect(401);
  });
});

describe('Git with a job token', () => {
  it('clones its project and pushes as the person may', async () => {
    const { actor, project } = await world();
    const { token } = await mint(actor, project);
    const url = Object.assign(new URL(cloneUrl(app, project.fullPath)), {
      username: 'svc-ci-token',
      password: token,
    }).href;
    await sandbox.run(['clone', '--quiet', url, 'job']);
    await sandbox.run(['checkout', '--quiet', '-b', 'topic'], 'job');
    const commit = await sandbox.commit('job', 'job.txt', 'made by a job\n');
    await sandbox.run(['push', '--quiet', 'origin', 'topic'], 'job');
    expect(await sandbox.run(['ls-remote', url, 'refs/heads/topic'])).toContain(commit);
    const [update] = await app.dataSource.query<{ user_id: number }[]>(
      'SELECT user_id FROM ref_updates WHERE container_id = $1',
      [project.id],
    );
    expect(update?.user_id).toBe(actor.user.id);

    await sandbox.commit('job', 'main.txt', 'not for developers\n');
    const refused = await sandbox.try(['push', 'origin', 'topic:main'], 'job');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('not allowed to push code to protected branches');
    await rm(join(sandbox.path, 'job'), { recursive: true });
  });

  it('opens the wiki of its project', async () => {
    const { actor, project } = await world();
    await makeRepository(app, { kind: 'wiki', containerId: project.id });
    const { token } = await mint(actor, project);
    expect((await discover(`${project.fullPath}.wiki`, token)).status).toBe(200);
  });

  it('opens no other project, not even a public one or one of the same person', async () => {
    const { actor, project } = await world();
    const { token } = await mint(actor, project);
    const files = { 'README.md': 'x' };
    const open = { visibility: 'public', files } as const;
    const others = [
      await makeProject(app, { namespaceId: actor.user.namespaceId, files }),
      await makeProject(app, { namespaceId: (await makeActor(app)).user.namespaceId, ...open }),
    ];
    for (const { fullPath } of others) {
      expect((await discover(fullPath, token)).status).toBe(404);
    }
    expect((await discover('no/where', token)).status).toBe(404);
  });

  it('wants its own user name, which other tokens may have as well', async () => {
    const { actor, project } = await world();
    const { token } = await mint(actor, project);
    expect((await discover(project.fullPath, token, 'oauth2')).status).toBe(401);
    expect((await discover(project.fullPath, actor.token)).status).toBe(200);
  });

  it('ends with the token, the role and the account', async () => {
    const { actor, project } = await world();
    const { id, token } = await mint(actor, project);
    const { token: second } = await mint(actor, project);
    const past = new Date(Date.now() - 1_000);
    await app.dataSource.manager.update(AccessToken, { id }, { expiresAt: past });
    expect((await discover(project.fullPath, token)).status).toBe(401);

    const admin = await makeAdmin(app);
    await admin.api.delete(`/projects/${project.id}/members/${actor.user.id}`).expect(204);
    expect((await discover(project.fullPath, second)).status).toBe(401);
    await makeMember(app, { project, user: actor.user, role: 'developer' });
    expect((await discover(project.fullPath, second)).status).toBe(200);
    await admin.api.post(`/users/${actor.user.id}/block`).expect(201);
    // Known credentials die with an announcement, some milliseconds after the commit.
    await eventually(async () => (await discover(project.fullPath, second)).status === 403);
  });
});
