import { beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import {
  makeMember,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import type { Role } from '../../src/identity/members/roles.js';

let app: TestApp;
let project: MadeProject;
let base: string;
beforeAll(async () => {
  app = await sharedTestApp();
  const owner = await makeVisitor(app);
  const group = await makeOwnedGroup(app, owner);
  project = await makeProject(app, { namespaceId: group.id, files: { 'a.txt': 'a\n' } });
  base = `/${project.fullPath}/-`;
});

async function visitorAs(role: Role, of = project): Promise<PageClient> {
  const { pages, user } = await makeVisitor(app);
  await makeMember(app, { project: of, user, role });
  return pages;
}

describe('branches', () => {
  it('are made and deleted by developers', async () => {
    const pages = await visitorAs('developer');
    const form = await pages.get(`${base}/branches/new`).expect(200);
    expect(form.text).toContain('value="main"');
    const fields = { branch: 'feature/#2', ref: 'main' };
    const made = await pages.post(`${base}/branches`, fields).expect(303);
    expect(made.headers['location']).toBe(`${base}/tree/feature/%232`);
    await pages.get(`${base}/tree/feature/%232`).expect(200);
    const again = await pages.post(`${base}/branches`, fields).expect(422);
    expect(textOf(again.text)).toContain('Branch already exists.');
    expect(again.text).toContain('value="feature/#2"');
    const list = await pages.get(`${base}/branches`).expect(200);
    expect(list.text).toContain('Delete branch');
    await pages.post(`${base}/branches/delete`, { branch: 'feature/#2' }).expect(303);
    await pages.get(`${base}/tree/feature/%232`).expect(404);
    await pages.post(`${base}/branches/delete`, { branch: 'main' }).expect(403);
    await pages.post(`${base}/branches/delete`).expect(404);
  });

  it('say what is wrong with a name', async () => {
    const pages = await visitorAs('developer');
    for (const branch of ['', '-x', 'a..b', 'with space <b>']) {
      const { text } = await pages.post(`${base}/branches`, { branch, ref: 'main' }).expect(422);
      expect(textOf(text)).toContain('There is a problem');
      expect(text).not.toContain('<b>');
    }
    const { text } = await pages.post(`${base}/branches`, { branch: 'x', ref: 'no' }).expect(422);
    expect(textOf(text)).toContain('Invalid reference name: no.');
  });

  it('are left alone by reporters, and in archived projects', async () => {
    const reporter = await visitorAs('reporter');
    const list = await reporter.get(`${base}/branches`).expect(200);
    expect(list.text).not.toContain('branches/new');
    await reporter.get(`${base}/branches/new`).expect(404);
    await reporter.post(`${base}/branches`, { branch: 'x', ref: 'main' }).expect(404);
    await reporter.post(`${base}/branches/delete`, { branch: 'main' }).expect(404);
    const { namespaceId } = project;
    const old = await makeProject(app, { namespaceId, archived: true, files: { a: 'a' } });
    const pages = await visitorAs('maintainer', old);
    const path = `/${old.fullPath}/-/branches`;
    expect((await pages.get(path).expect(200)).text).not.toContain('branches/new');
    await pages.post(path, { branch: 'x', ref: 'main' }).expect(404);
  });
});

describe('branches with merge requests', () => {
  it('lead to the open one', async () => {
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { project, user, role: 'developer' });
    await commitOn(app, project, { branch: 'linen', user, files: { b: 'b' }, from: 'main' });
    const path = `${base}/branches?search=linen`;
    expect(textOf((await pages.get(path)).text)).toContain('New merge request');
    await commitOn(app, project, { branch: 'release', user, files: { c: 'c' }, from: 'main' });
    const client = api(app.url, await makeToken(app, user));
    const { iid } = await openMergeRequest(client, project, { source_branch: 'linen' });
    const { text } = await pages.get(path).expect(200);
    expect(text).toContain(`href="${base}/merge_requests/${iid}"`);
    // Into another branch.
    expect(textOf(text)).toContain('New merge request');
    const other = { source_branch: 'linen', target_branch: 'release' };
    const later = await openMergeRequest(client, project, other);
    expect((await pages.get(path)).text).toContain(`/merge_requests/${later.iid}"`);
    await client
      .put(`/projects/${project.id}/merge_requests/${later.iid}`, { state_event: 'close' })
      .expect(200);
    const address = `/projects/${project.id}/merge_requests/${iid}`;
    await client.put(address, { state_event: 'close' }).expect(200);
    expect((await pages.get(path)).text).not.toContain(`/merge_requests/${iid}"`);
  });

  it('do not name them where merge requests are disabled', async () => {
    const { pages, user } = await makeVisitor(app);
    const own = await makeProject(app, { namespaceId: project.namespaceId, files: { a: 'a' } });
    await makeMember(app, { project: own, user, role: 'maintainer' });
    await commitOn(app, own, { branch: 'linen', user, files: { b: 'b' }, from: 'main' });
    const client = api(app.url, await makeToken(app, user));
    const { iid } = await openMergeRequest(client, own, { source_branch: 'linen' });
    const path = `/${own.fullPath}/-/branches`;
    expect(textOf((await pages.get(path)).text)).toContain(`Merge request !${iid}`);
    await client
      .put(`/projects/${own.id}`, { merge_requests_access_level: 'disabled' })
      .expect(200);
    expect(textOf((await pages.get(path)).text)).not.toMatch(/merge request/i);
  });
});

describe('tags', () => {
  it('are made by developers and deleted by maintainers', async () => {
    const pages = await visitorAs('developer');
    await pages.get(`${base}/tags/new`).expect(200);
    const fields = { tag_name: 'v1', ref: 'main', message: 'First\r\ncloth' };
    const made = await pages.post(`${base}/tags`, fields).expect(303);
    expect(made.headers['location']).toBe(`${base}/tags`);
    const { text } = await pages.get(`${base}/tags`).expect(200);
    expect(text).toContain('First\ncloth');
    expect(text).not.toContain('Delete tag');
    const again = await pages.post(`${base}/tags`, fields).expect(422);
    expect(textOf(again.text)).toContain('Tag v1 already exists.');
    await pages.post(`${base}/tags/delete`, { tag_name: 'v1' }).expect(404);
    const maintainer = await visitorAs('maintainer');
    expect((await maintainer.get(`${base}/tags`)).text).toContain('Delete tag');
    await maintainer.post(`${base}/tags/delete`, { tag_name: 'v1' }).expect(303);
    expect(textOf((await maintainer.get(`${base}/tags`)).text)).toContain('No tags yet');
  });
});
