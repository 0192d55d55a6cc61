import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { ApiDescription } from '../fuzz/api-description.js';
import { makeAlert } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeError } from '../support/error-factories.js';
import { makeAdmin, makeUser, unique, type MadeActor } from '../support/factories.js';
import { picture } from '../support/images.js';

const PUBLIC_URL = 'https://code.example.com/guildhall';
const MILLISECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Requests and responses of libraries in other languages, as they appear on the wire. */
let app: OwnTestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await startTestApp({ env: { BASE_URL: PUBLIC_URL, TRUST_PROXY: 'loopback' } });
  admin = await makeAdmin(app);
});
afterAll(() => app.close());

async function makeProject(attributes: object = {}): Promise<Record<string, unknown>> {
  const answer = await admin.api.post('/projects', { name: unique('project-'), ...attributes });
  expect(answer.status).toBe(201);
  return answer.body as Record<string, unknown>;
}

describe('times', () => {
  it('are read with a zone whose plus sign is encoded, and refused when it became a space', async () => {
    const { id } = await makeUser(app);
    const list = (after: string): request.Test =>
      admin.api.get(`/users?created_after=${after}&order_by=id`);
    const { body } = await list('2020-01-01T00:00:00%2B02:00').expect(200);
    expect(body[0].id).toBe(id);
    await list('2020-01-01T00:00:00+02:00').expect(400, {
      message: '400 (Bad request) created_after is invalid',
      error: 'created_after is invalid',
    });
    await list('2020-01-01T00:00:00Z').expect(200);
    await list('2020-01-01').expect(200);
  });

  it('are written in milliseconds and UTC', async () => {
    const project = await makeProject();
    expect(project['created_at']).toMatch(MILLISECONDS);
    expect(project['last_activity_at']).toMatch(MILLISECONDS);
    const { body } = await admin.api.get('/user').expect(200);
    expect(body.created_at).toMatch(MILLISECONDS);
  });
});

describe('ids', () => {
  it('are numbers everywhere, nested ones included', async () => {
    const project = await makeProject();
    expect(project).toMatchObject({
      id: expect.any(Number),
      creator_id: expect.any(Number),
      namespace: { id: expect.any(Number) },
    });
    const body = { title: 'A title', content: 'a', file_name: 'a.txt', visibility: 'private' };
    const snippet = await admin.api.post(`/projects/${project['id']}/snippets`, body).expect(201);
    expect(snippet.body).toMatchObject({
      id: expect.any(Number),
      project_id: project['id'],
      author: { id: admin.user.id },
    });
  });
});

describe('paths', () => {
  it('keep encoded slashes in ids and names of files', async () => {
    const files = [{ file_path: 'bin/run.sh', content: 'true\n' }];
    const created = await makeProject();
    const path = encodeURIComponent(String(created['path_with_namespace']));
    const snippet = await admin.api
      .post(`/projects/${path}/snippets`, { title: 'A title', visibility: 'private', files })
      .expect(201);
    const raw = `/snippets/${snippet.body.id}/files/main/bin%2Frun.sh/raw`;
    expect((await admin.api.get(`/projects/${path}${raw}`).expect(200)).text).toBe('true\n');
    expect((await admin.api.get(raw).expect(200)).text).toBe('true\n');
    await admin.api.get(`/projects/${String(created['path_with_namespace'])}`).expect(404);
  });

  it('need no extension for the format, which is JSON', async () => {
    await admin.api.get('/user').expect(200).expect('Content-Type', 'application/json');
    await admin.api.get('/user?format=json').expect(200);
  });
});

describe('parameters', () => {
  it('are read next to a file, as libraries send what has a picture', async () => {
    const name = unique('project-');
    const { body } = await request(app.url)
      .post('/api/v4/projects')
      .set('PRIVATE-TOKEN', admin.token)
      .field('name', name)
      .field('visibility', 'internal')
      .attach('avatar', await picture(), 'avatar.png')
      .expect(201);
    const avatar_url = expect.stringMatching(/\/project\/avatar\/\d+\/[0-9a-f]+\.webp$/);
    expect(body).toMatchObject({ name, visibility: 'internal', avatar_url });
  });

  it('are lists and hashes in the forms of Ruby and PHP', async () => {
    const { user } = admin;
    const token = await request(app.url)
      .post(`/api/v4/users/${user.id}/personal_access_tokens`)
      .set('PRIVATE-TOKEN', admin.token)
      .type('form')
      .send('name=Forms&scopes[]=api&scopes[]=read_user')
      .expect(201);
    expect(token.body.scopes).toEqual(['api', 'read_user']);
    const snippet = await request(app.url)
      .post('/api/v4/snippets')
      .set('PRIVATE-TOKEN', admin.token)
      .type('form')
      .send('title=Forms&visibility=private')
      .send(
        'files[0][file_path]=a.txt&files[0][content]=a&files[1][file_path]=b&files[1][content]=b',
      )
      .expect(201);
    expect(snippet.body.files).toMatchObject([{ path: 'a.txt' }, { path: 'b' }]);
    const { body } = await admin.api.get('/groups?skip_groups[]=1&skip_groups[]=2').expect(200);
    expect(body).toEqual([]);
  });

  it('are absent when the body is empty but called JSON', async () => {
    const { id } = await makeProject();
    const send = (path: string): request.Test =>
      request(app.url)
        .post(`/api/v4${path}`)
        .set('PRIVATE-TOKEN', admin.token)
        .set('Content-Type', 'application/json');
    await send(`/projects/${String(id)}/archive`).expect(201);
    const { body } = await send('/projects').expect(400);
    expect(body.error).toContain('missing');
    const removed = await request(app.url)
      .delete(`/api/v4/projects/${String(id)}`)
      .set('PRIVATE-TOKEN', admin.token)
      .set('Content-Type', 'application/json');
    expect(removed.status).toBe(202);
  });
});

describe('lists behind a proxy', () => {
  it('link to the public address, wherever the request came in', async () => {
    await Promise.all([makeProject(), makeProject()]);
    const { headers } = await admin.api
      .get('/projects?per_page=1&order_by=id')
      .set('Host', 'internal:3000')
      .expect(200);
    const links = String(headers['link']).match(/<[^<>]+>/g) ?? [];
    expect(links.length).toBeGreaterThan(2);
    for (const link of links)
      expect(link).toMatch(/^<https:\/\/code\.example\.com\/guildhall\/api/);
    const keyset = await admin.api.get('/projects?pagination=keyset&order_by=id&per_page=1');
    expect(keyset.headers['link']).toMatch(/^<https:\/\/code\.example\.com\/guildhall\/api\/v4/);
  });

  it('all have a Link, and the same headers for HEAD', async () => {
    const { id } = await makeProject({ initialize_with_readme: true });
    const group = await admin.api.post('/groups', { name: unique('G'), path: unique('g-') });
    const snippet = await admin.api
      .post('/snippets', { title: 'A title', content: 'a', file_name: 'a', visibility: 'private' })
      .expect(201);
    const ids: Record<string, unknown> = {
      projects: id,
      groups: group.body.id,
      users: admin.user.id,
    };
    const inner = await partsOfProject(Number(id));
    const lists = new ApiDescription().operations.filter(
      ({ method, parameters }) =>
        method === 'GET' && parameters.some(({ name }) => name === 'page'),
    );
    expect(lists.length).toBeGreaterThan(25);
    for (const { path } of lists) {
      const filled = path
        .slice('/api/v4'.length)
        .replace('{user_id}', String(admin.user.id))
        .replace(/^\/(\w+)\/\{id\}/, (_, kind: string) => {
          return `/${kind}/${String(ids[kind] ?? snippet.body.id)}`;
        })
        .replace(/\{(\w+)\}/g, (_, name: string) => String(inner[name]));
      const isSearch = filled.endsWith('/search');
      await expectSameHead(isSearch ? `${filled}?scope=issues&search=title` : filled);
    }
  });
});

/** Returns the IDs of a project's parts that have lists of their own, by their names in paths. */
async function partsOfProject(id: number): Promise<Record<string, number | string>> {
  const issue = await admin.api.post(`/projects/${id}/issues`, { title: unique('Issue ') });
  const integration = await admin.api.post(`/projects/${id}/alert_management/http_integrations`, {
    name: 'Tool',
    active: true,
  });
  const alert = await makeAlert(app, { id });
  const milestone = await admin.api.post(`/projects/${id}/milestones`, { title: 'Milestone' });
  const snippet = await admin.api.post(`/projects/${id}/snippets`, {
    title: 'A title',
    content: 'a',
    file_name: 'a',
    visibility: 'private',
  });
  const branches = { source_branch: 'side', target_branch: 'main' };
  await admin.api.post(`/projects/${id}/repository/branches`, { branch: 'side', ref: 'main' });
  const request = await admin.api.post(`/projects/${id}/merge_requests`, {
    ...branches,
    title: 'Merge request',
  });
  return {
    issue_iid: issue.body.iid as number,
    merge_request_iid: request.body.iid as number,
    integration_id: integration.body.id as number,
    alert_iid: alert.iid,
    error_id: (await makeError(app, { id })).id,
    milestone_id: milestone.body.id as number,
    snippet_id: snippet.body.id as number,
    sha: 'main',
  };
}

async function expectSameHead(path: string): Promise<void> {
  const [get, head] = [await admin.api.get(path), await admin.api.head(path)];
  expect([path, get.status, head.status, head.text]).toEqual([path, 200, 200, undefined]);
  expect([path, get.headers['link']]).toEqual([path, expect.stringContaining('rel="first"')]);
  for (const name of ['link', 'x-total', 'x-total-pages', 'x-page', 'x-per-page']) {
    expect([path, name, head.headers[name]]).toEqual([path, name, get.headers[name]]);
  }
}
