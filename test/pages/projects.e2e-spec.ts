import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { follow, makeVisitor } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';

const XSS = '"><script>alert(1)</script>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

describe('new projects', () => {
  it('are made in the own namespace, with a first commit when it is wanted', async () => {
    const { pages, user } = await makeVisitor(app);
    const { text } = await pages.get('/projects/new').expect(200);
    expect(text).toContain(`>${user.username}</option>`);
    const fields = { name: 'My Loom', path: '', visibility: 'private' };
    const namespace = { namespace_id: String(user.namespaceId), initialize_with_readme: 'true' };
    const { headers } = await pages.post('/projects/new', { ...fields, ...namespace }).expect(303);
    expect(headers['location']).toBe(`/${user.username}/my-loom`);
    const page = await pages.get(`/${user.username}/my-loom`).expect(200);
    expect(textOf(page.text)).not.toContain('Empty repository');
    expect(page.text).toContain(`${app.url}/${user.username}/my-loom.git`);
  });

  it('are made in a group by its developers, who find it in the list', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user, role: 'developer' });
    const other = await makeGroup(app, { visibility: 'public' });
    const { text } = await pages.get(`/projects/new?namespace_id=${group.id}`).expect(200);
    expect(text).toContain(`value="${group.id}" selected`);
    expect(text).not.toContain(other.fullPath);
    const fields = { name: 'Loom', path: 'loom', visibility: 'private' };
    await pages.post('/projects/new', { ...fields, namespace_id: String(group.id) }).expect(303);
    const page = await pages.get(`/${group.fullPath}/loom`).expect(200);
    expect(textOf(page.text)).toContain('git push --set-upstream origin main');
    const wrong = await pages
      .post('/projects/new', { ...fields, namespace_id: String(other.id) })
      .expect(422);
    expect(textOf(wrong.text)).toContain('Namespace is not valid.');
  });

  it('show what is wrong at the fields', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const fields = { namespace_id: String(user.namespaceId), visibility: 'private' };
    const taken = { ...fields, name: 'Other', path: project.path };
    const { text } = await pages.post('/projects/new', taken).expect(422);
    expect(textOf(text)).toContain('has already been taken');
    const bad = await pages.post('/projects/new', { ...fields, name: XSS, path: 'x' }).expect(422);
    expect(bad.text).toContain('href="#field-name"');
    expect(bad.text).not.toContain(XSS);
    const blank = await pages.post('/projects/new', { ...fields, name: '' }).expect(422);
    expect(textOf(blank.text)).toContain('Name is missing.');
  });

  it('tell of the limit that is reached', async () => {
    const { pages, user } = await makeVisitor(app, { projectsLimit: 0 });
    const fields = { name: 'Loom', namespace_id: String(user.namespaceId), visibility: 'private' };
    const { text } = await pages.post('/projects/new', fields).expect(422);
    expect(textOf(text)).toContain('Your project limit is 0 projects!');
  });
});

describe('a project', () => {
  it('shows what it is to who may see it', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, {
      namespaceId: user.namespaceId,
      visibility: 'public',
      description: XSS,
      topics: ['weaving'],
      files: { 'README.md': '# Loom\n' },
    });
    const { text } = await pages.get(`/${project.fullPath}`).expect(200);
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toContain(XSS);
    expect(textOf(text)).toMatch(/Topics weaving Your role Owner/);
    expect(textOf(text)).not.toContain('Storage');
    const stranger = await request(app.url).get(`/${project.fullPath}`).expect(200);
    expect(stranger.text).toContain(`${project.fullPath}.git`);
    expect(stranger.text).not.toContain('/-/edit');
    const { pages: adminPages } = await makeVisitor(app, { admin: true });
    const seen = textOf((await adminPages.get(`/${project.fullPath}`)).text);
    expect(seen).toContain('Storage default');
  });

  it('says that it cannot be changed while it is moved', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    await app.dataSource.manager.update(Project, { id: project.id }, { repositoryReadOnly: true });
    const { text } = await pages.get(`/${project.fullPath}`).expect(200);
    expect(textOf(text)).toContain('is read-only while it moves to another storage');
  });

  it('does not exist for who may not see it', async () => {
    const { user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const { pages } = await makeVisitor(app);
    await pages.get(`/${project.fullPath}`).expect(404);
    await request(app.url).get(`/${project.fullPath}`).expect(404);
    await pages.get('/nobody/nothing/at/all').expect(404);
  });
});

describe('the list of projects', () => {
  it('has those of the viewer, and can be searched and ordered', async () => {
    const { pages, user } = await makeVisitor(app);
    expect(textOf((await pages.get('/dashboard/projects')).text)).toContain('not a member of any');
    await makeProject(app, { namespaceId: user.namespaceId, name: 'Aardvark' });
    await makeProject(app, { namespaceId: user.namespaceId, name: 'Buffalo' });
    const text = textOf((await pages.get('/dashboard/projects?sort=name').expect(200)).text);
    expect(text.indexOf('/ Aardvark')).toBeLessThan(text.indexOf('/ Buffalo'));
    const found = textOf((await pages.get('/dashboard/projects?search=buff')).text);
    expect([found.includes('/ Buffalo'), found.includes('/ Aardvark')]).toEqual([true, false]);
  });
});

describe('the settings of a project', () => {
  const FIELDS = {
    description: 'Changed',
    topics: 'a, b',
    default_branch: 'main',
    issues_enabled: 'false',
    snippets_enabled: 'true',
    request_access_enabled: 'true',
  };

  it('change it, and its former address leads on', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const path = unique('renamed');
    const identity = { name: 'Renamed', path, visibility: 'internal' };
    const { headers } = await pages
      .post(`/${project.fullPath}/-/edit`, { ...FIELDS, ...identity })
      .expect(303);
    expect(headers['location']).toBe(`/${user.username}/${path}/-/edit`);
    const old = await pages.get(`/${project.fullPath}`).expect(302);
    expect(old.headers['location']).toBe(`/${user.username}/${path}`);
    const row = await app.dataSource.manager.findOneByOrFail(Project, { id: project.id });
    expect(row).toMatchObject({
      name: 'Renamed',
      visibility: 10,
      description: 'Changed',
      topics: ['a', 'b'],
      issuesEnabled: false,
      snippetsEnabled: true,
    });
  });

  it('show what is wrong', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const identity = { name: project.name, path: 'no good path', visibility: 'private' };
    const { text } = await pages
      .post(`/${project.fullPath}/-/edit`, { ...FIELDS, ...identity })
      .expect(422);
    expect(textOf(text)).toContain('Path can contain only letters');
    expect(text).toContain('value="no good path"');
  });

  it('let maintainers change all but what owners decide', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user, role: 'maintainer' });
    const { text } = await pages.get(`/${project.fullPath}/-/edit`).expect(200);
    expect(text).not.toContain('name="path"');
    expect(textOf(text)).not.toContain('Delete project');
    await pages.post(`/${project.fullPath}/-/edit`, FIELDS).expect(303);
    await pages.post(`/${project.fullPath}/-/edit`, { ...FIELDS, name: 'Mine' }).expect(403);
    await pages.post(`/${project.fullPath}/-/archive`).expect(404);
    await pages.post(`/${project.fullPath}/-/delete`).expect(404);
  });

  it('are nothing for developers', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user, role: 'developer' });
    await pages.get(`/${project.fullPath}/-/edit`).expect(404);
    await pages.post(`/${project.fullPath}/-/edit`, FIELDS).expect(404);
  });

  it('archive, unarchive and delete it', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeOwnedGroup(app, { user });
    const project = await makeProject(app, { namespaceId: group.id });
    const base = `/${project.fullPath}`;
    await pages.post(`${base}/-/archive`).expect(303);
    expect(textOf((await pages.get(base)).text)).toContain('Archived');
    await pages.post(`${base}/-/unarchive`).expect(303);
    expect(textOf((await pages.get(base)).text)).not.toContain('Archived');
    await pages.post(`${base}/-/delete`, { confirmed_path: 'other' }).expect(422);
    await pages.post(`${base}/-/delete`, { confirmed_path: project.fullPath }).expect(303);
    await pages.get(base).expect(404);
  });

  it('take no form without its token', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const base = `/${project.fullPath}/-`;
    for (const path of ['/projects/new', `${base}/edit`, `${base}/archive`, `${base}/delete`]) {
      await request(app.url)
        .post(path)
        .set('Cookie', `_svc_session=${pages.cookie}`)
        .type('form')
        .send({ description: 'forged' })
        .expect(422);
    }
    expect(textOf((await pages.get(`/${project.fullPath}`)).text)).not.toContain('forged');
  });
});

describe('transferring a project', () => {
  it('asks for its path, moves it and leads to its new address', async () => {
    const { pages, user } = await makeVisitor(app);
    const project = await makeProject(app, { namespaceId: user.namespaceId });
    const group = await makeOwnedGroup(app, { user });
    const base = `/${project.fullPath}/-`;
    const { text } = await pages.get(`${base}/edit`).expect(200);
    expect(text).toContain(`<option value="${group.fullPath}">`);
    const form = { location: group.fullPath, confirmed_path: 'something else' };
    await pages.post(`${base}/transfer`, form).expect(303).expect('Location', `${base}/edit`);
    const confirmed = { ...form, confirmed_path: project.fullPath };
    const unknown = await pages.post(`${base}/transfer`, {
      ...confirmed,
      location: 'nowhere-here',
    });
    expect(await follow(pages, unknown)).toContain('create projects there');
    const moved = `/${group.fullPath}/${project.path}`;
    await pages.post(`${base}/transfer`, confirmed).expect(303).expect('Location', moved);
    await pages.get(`/${project.fullPath}`).expect(302).expect('Location', moved);
  });

  it('is for owners only, and never leads into groups of others', async () => {
    const { pages, user } = await makeVisitor(app);
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user, role: 'maintainer' });
    const base = `/${project.fullPath}/-`;
    const form = { location: user.username, confirmed_path: project.fullPath };
    await pages.post(`${base}/transfer`, form).expect(404);
    expect((await pages.get(`${base}/edit`).expect(200)).text).not.toContain('/-/transfer');
    const own = await makeProject(app, { namespaceId: user.namespaceId });
    const there = { location: group.fullPath, confirmed_path: own.fullPath };
    await pages
      .post(`/${own.fullPath}/-/transfer`, there)
      .expect(303)
      .expect('Location', `/${own.fullPath}/-/edit`);
    await pages.get(`/${own.fullPath}`).expect(200);
  });
});
