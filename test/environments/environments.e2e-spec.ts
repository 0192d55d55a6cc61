import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '../../src/identity/members/roles.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeAlert, makeEnvironment } from '../support/alert-factories.js';
import { makeError, tagError } from '../support/error-factories.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor } from '../support/page-client.js';
import {
  makeMember,
  makeMemberOf,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

interface EnvironmentBody {
  id: number;
  name: string;
  slug: string;
  state: string;
  tier: string;
}

interface Place {
  project: MadeProject;
  path: string;
}

async function place(visibility: 'private' | 'public' = 'private'): Promise<Place> {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, visibility });
  return { project, path: `/projects/${project.id}/environments` };
}

const member = (of: MadeProject, role: Role): Promise<MadeActor> => makeMemberOf(app, of, role);

async function make({ path }: Place, body: object): Promise<EnvironmentBody> {
  const response = await owner.api.post(path, body);
  expect(response.status).toBe(201);
  return response.body as EnvironmentBody;
}

async function namesOf(path: string): Promise<string[]> {
  const response = await owner.api.get(path).expect(200);
  return (response.body as EnvironmentBody[]).map(({ name }) => name);
}

describe('POST /projects/:id/environments', () => {
  it('answers 201 with the whole environment', async () => {
    const { path } = await place();
    const response = await owner.api.post(path, {
      name: 'review/fix-foo',
      external_url: 'https://fix-foo.example.com',
      tier: 'testing',
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.any(Number),
      name: 'review/fix-foo',
      slug: expect.stringMatching(/^review-fix-foo-[a-z0-9]{6}$/),
      external_url: 'https://fix-foo.example.com',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
      tier: 'testing',
      state: 'available',
    });
  });

  it.each([
    ['production', 'production'],
    ['Live-EU', 'production'],
    ['pre-prod', 'staging'],
    ['qa', 'testing'],
    ['review/1', 'development'],
    ['canary', 'other'],
  ])('takes %s for %s', async (name, tier) => {
    expect(await make(await place(), { name })).toMatchObject({ tier, external_url: null });
  });

  it.each([
    [{}, { error: 'name is missing', message: '400 (Bad request) "name" not given' }],
    [{ name: ' ' }, { message: { name: ["can't be blank"] } }],
    [{ name: 'None' }, { message: { name: ['is reserved'] } }],
    [{ name: 'x'.repeat(256) }, { message: { name: ['is too long (maximum is 255 characters)'] } }],
    [
      { name: 'x', tier: 'moon' },
      {
        error: 'tier does not have a valid value',
        message: '400 (Bad request) tier does not have a valid value',
      },
    ],
    [
      { name: 'x', external_url: 'javascript:alert(1)' },
      { message: { external_url: ['must be a valid URL with http or https'] } },
    ],
  ])('refuses what it cannot have (%#)', async (body, refusal) => {
    const response = await owner.api.post((await place()).path, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual(refusal);
  });

  it.each(['/x', 'x/', 'x<y', 'x\ny', 'x:y'])('refuses the name %j', async (name) => {
    const response = await owner.api.post((await place()).path, { name });
    expect(response.status).toBe(400);
    expect(response.body).toEqual({
      message: { name: [expect.stringMatching(/^can contain only letters/)] },
    });
  });

  it('refuses a name that is taken, also at once', async () => {
    const here = await place();
    const asked = await Promise.all(
      [1, 2, 3, 4].map(() => owner.api.post(here.path, { name: 'production' })),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(asked.find(({ status }) => status === 400)?.body).toEqual({
      message: { name: ['has already been taken'] },
    });
    await make(await place(), { name: 'production' });
  });

  it('returns a unique slug', async () => {
    const here = await place();
    const { slug } = await make(here, { name: 'Staging' });
    const other = await make(here, { name: slug });
    expect(other.slug).not.toBe(slug);
    expect(other.slug).toMatch(/^staging-[a-z0-9]+-[a-z0-9]{6}$/);
  });
});

describe('GET /projects/:id/environments', () => {
  it('lists them by id, filtered by name, search and state', async () => {
    const here = await place();
    for (const name of ['production', 'staging', 'review/1']) await make(here, { name });
    const { id } = await make(here, { name: 'review/2' });
    await owner.api.post(`${here.path}/${id}/stop`).expect(200);
    expect(await namesOf(here.path)).toEqual(['production', 'staging', 'review/1', 'review/2']);
    expect(await namesOf(`${here.path}?name=review/1`)).toEqual(['review/1']);
    expect(await namesOf(`${here.path}?search=REVIEW`)).toEqual(['review/1', 'review/2']);
    expect(await namesOf(`${here.path}?states=stopped`)).toEqual(['review/2']);
    expect(await namesOf(`${here.path}?states=available&search=review`)).toEqual(['review/1']);
    expect(await namesOf(`${here.path}?states=stopping`)).toEqual([]);
    expect(await namesOf(`${here.path}?per_page=1&page=2`)).toEqual(['staging']);
  });

  it.each([
    ['name=production&search=production', '400 (Bad request) name, search cannot be used together'],
    ['search=re', '400 Bad request - Search query is less than 3 characters'],
    ['states=gone', '400 (Bad request) states does not have a valid value'],
  ])('refuses %s', async (query, message) => {
    const response = await owner.api.get(`${(await place()).path}?${query}`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ message });
  });
});

describe('GET, PUT and DELETE /projects/:id/environments/:environment_id', () => {
  it('shows one of the project only', async () => {
    const here = await place();
    const made = await make(here, { name: 'production' });
    const response = await owner.api.get(`${here.path}/${made.id}`).expect(200);
    expect(response.body).toEqual(made);
    const elsewhere = `${(await place()).path}/${made.id}`;
    const missing = await owner.api.get(elsewhere);
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Not found' }]);
    await owner.api.put(elsewhere, { tier: 'other' }).expect(404);
    await owner.api.post(`${elsewhere}/stop`).expect(404);
    await owner.api.delete(elsewhere).expect(404);
    await owner.api.get(`${here.path}/x`).expect(400);
  });

  it('changes what is given, the slug stays', async () => {
    const here = await place();
    const { id, slug } = await make(here, { name: 'staging', external_url: 'http://a.example' });
    const path = `${here.path}/${id}`;
    const renamed = await owner.api.put(path, { name: 'Pre-production', tier: 'other' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toMatchObject({
      name: 'Pre-production',
      slug,
      tier: 'other',
      external_url: 'http://a.example',
    });
    const cleared = await owner.api.put(path, { external_url: '' }).expect(200);
    expect(cleared.body).toMatchObject({ name: 'Pre-production', external_url: null });
  });

  it('refuses what an environment cannot have, a taken name, and nothing at all', async () => {
    const here = await place();
    await make(here, { name: 'production' });
    const { id } = await make(here, { name: 'staging' });
    const path = `${here.path}/${id}`;
    const taken = await owner.api.put(path, { name: 'production' });
    expect([taken.status, taken.body]).toEqual([
      400,
      { message: { name: ['has already been taken'] } },
    ]);
    await owner.api.put(path, { external_url: 'ftp://a.example' }).expect(400);
    const nothing = await owner.api.put(path, {});
    expect(nothing.status).toBe(400);
    expect(nothing.body).toMatchObject({
      error: 'external_url, name, tier are missing, at least one parameter must be provided',
    });
    const old = 'Wed, 01 Jan 2020 00:00:00 GMT';
    await owner.api.put(path, { tier: 'other' }).set('If-Unmodified-Since', old).expect(412);
    await owner.api.delete(path).set('If-Unmodified-Since', old).expect(412);
  });

  it('deletes only what was stopped before; alerts stay', async () => {
    const here = await place();
    const { id } = await make(here, { name: 'review/1' });
    const path = `${here.path}/${id}`;
    const early = await owner.api.delete(path);
    expect([early.status, early.body]).toEqual([403, { message: '403 Forbidden' }]);
    for (let times = 0; times < 2; times += 1) {
      const stopped = await owner.api.post(`${path}/stop`);
      expect([stopped.status, stopped.body]).toMatchObject([200, { id, state: 'stopped' }]);
    }
    await owner.api.delete(path).expect(204);
    await owner.api.get(path).expect(404);
  });
});

describe('Who may do what with environments', () => {
  it('lets Reporters read and Developers change', async () => {
    const here = await place('public');
    const { id } = await make(here, { name: 'production' });
    const path = `${here.path}/${id}`;
    for (const actor of [await makeActor(app), await member(here.project, 'guest')]) {
      await actor.api.get(here.path).expect(403);
      await actor.api.get(path).expect(403);
    }
    await api(app.url).get(here.path).expect(401);
    const reporter = await member(here.project, 'reporter');
    await reporter.api.get(here.path).expect(200);
    await reporter.api.get(path).expect(200);
    await reporter.api.post(here.path, { name: 'x' }).expect(403);
    await reporter.api.put(path, { tier: 'other' }).expect(403);
    await reporter.api.post(`${path}/stop`).expect(403);
    const developer = await member(here.project, 'developer');
    await developer.api.put(path, { tier: 'other' }).expect(200);
    await developer.api.post(`${path}/stop`).expect(200);
    await developer.api.delete(path).expect(204);
    await (await makeAdmin(app)).api.post(here.path, { name: 'y' }).expect(201);
  });

  it('hides private projects, and archived ones change no more', async () => {
    const here = await place();
    const { id } = await make(here, { name: 'production' });
    await (await makeActor(app)).api.get(`${here.path}/${id}`).expect(404);
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [
      here.project.id,
    ]);
    await owner.api.post(here.path, { name: 'x' }).expect(403);
    await owner.api.put(`${here.path}/${id}`, { tier: 'other' }).expect(403);
    await owner.api.post(`${here.path}/${id}/stop`).expect(403);
    await owner.api.delete(`${here.path}/${id}`).expect(403);
    await owner.api.get(here.path).expect(200);
  });
});

describe('the page of environments', () => {
  it('counts open alerts and unresolved errors by environment', async () => {
    const { project } = await place();
    const { pages } = await makeVisitorIn(project, 'developer');
    const path = `/${project.fullPath}/-/environments`;
    expect(textOf((await pages.get(path).expect(200)).text)).toContain('No environments yet');
    const environment = await makeEnvironment(app, project, { name: 'production' });
    await makeAlert(app, project, { environmentId: environment.id });
    const ended = { environmentId: environment.id, status: 2, endedAt: new Date() };
    await makeAlert(app, project, ended);
    const error = await makeError(app, project);
    await tagError(app, error, { environment: 'production' });
    await tagError(app, await makeError(app, project), { environment: '<b>qa</b>' });
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toContain('production Other 1 1 ');
    expect(textOf(text)).toContain('<b>qa</b> 0 1');
    expect(text).not.toContain('<b>qa');
    expect(text).toContain(`/${project.fullPath}/-/error_tracking?environment=production`);
  });

  it('counts many alerts every half a minute, and shows new environments at once', async () => {
    const { project } = await place();
    const { pages } = await makeVisitorIn(project, 'developer');
    const { id } = await makeEnvironment(app, project, { name: 'production' });
    const add = (count: number) =>
      app.dataSource.query(
        `INSERT INTO alerts (project_id, iid, environment_id, title, severity, payload, started_at)
         SELECT $1, coalesce((SELECT max(iid) FROM alerts WHERE project_id = $1), 0) + n, $2, 'Down',
           0, '{}', now() FROM generate_series(1, $3::int) n`,
        [project.id, id, count],
      );
    const shown = async (): Promise<string> =>
      textOf((await pages.get(`/${project.fullPath}/-/environments`).expect(200)).text);

    await add(10_000);
    expect(await shown()).toContain('production Other 10000 0');
    await add(1);
    expect(await shown()).toContain('production Other 10001 0');
    await add(1);
    await makeEnvironment(app, project, { name: 'staging' });
    const kept = await shown();
    expect(kept).toContain('production Other 10001 0');
    expect(kept).toContain('staging Other 0 0');
  });

  it('shows alerts to developers only, and nothing to guests and strangers', async () => {
    const { project } = await place('public');
    await makeEnvironment(app, project, { name: 'production' });
    const path = `/${project.fullPath}/-/environments`;
    const reporter = await makeVisitorIn(project, 'reporter');
    expect(textOf((await reporter.pages.get(path).expect(200)).text)).not.toContain('Open alerts');
    const guest = await makeVisitorIn(project, 'guest');
    await guest.pages.get(path).expect(404);
    expect((await guest.pages.get(`/${project.fullPath}`)).text).not.toContain('/-/environments');
    const stranger = await makeVisitor(app);
    await stranger.pages.get(path).expect(404);
  });
});

async function makeVisitorIn(
  project: MadeProject,
  role: Role,
): Promise<Awaited<ReturnType<typeof makeVisitor>>> {
  const visitor = await makeVisitor(app);
  await makeMember(app, { project, user: visitor.user, role });
  return visitor;
}
