import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { makeVisitor, type PageClient, signedIn } from '../support/page-client.js';
import { makeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

/** The address of a public project's merge request, and its project. */
async function place() {
  const { namespaceId } = owner.user;
  const files = { 'a.txt': 'one\n' };
  const project = await makeProject(app, { namespaceId, visibility: 'public', files });
  const change = { branch: 'feature', from: 'main', user: owner.user, files: { 'b.txt': 'b' } };
  await commitOn(app, project, change);
  const { iid } = await openMergeRequest(owner.api, project, { source_branch: 'feature' });
  return { project, address: `/${project.fullPath}/-/merge_requests/${iid}` };
}

async function read(address: string, by: PageClient): Promise<string> {
  return textOf((await by.get(address).expect(200)).text);
}

describe('the page of a merge request', () => {
  it('shows the subscription, and changes it by a button', async () => {
    const { address } = await place();
    const { pages } = await makeVisitor(app);
    expect(await read(address, pages)).toContain('You are not subscribed.');
    const done = await pages.post(`${address}/subscription`, { subscribed: 'true' }).expect(303);
    expect(done.headers['location']).toBe(address);
    expect(await read(address, pages)).toContain('You are subscribed.');
    await pages.post(`${address}/subscription`, { subscribed: 'true' }).expect(303);
    expect(await read(address, pages)).toContain('You are subscribed.');
    await pages.post(`${address}/subscription`, { subscribed: 'false' }).expect(303);
    expect(await read(address, pages)).toContain('You are not subscribed.');
  });

  it('lets those who take part in an archived project no longer want its mails', async () => {
    const { project, address } = await place();
    await app.dataSource.manager.update(Project, { id: project.id }, { archived: true });
    const pages = await signedIn(app, owner.user);
    expect(await read(address, pages)).toContain('You are subscribed.');
    await pages.post(`${address}/subscription`, { subscribed: 'false' }).expect(303);
    expect(await read(address, pages)).toContain('You are not subscribed.');
  });

  it('has no such button for who is not signed in or may not see it', async () => {
    const { project, address } = await place();
    const { text } = await request(app.url).get(address).expect(200);
    expect(textOf(text)).not.toMatch(/You are (not )?subscribed/);
    const { pages } = await makeVisitor(app);
    await pages.post(`/${project.fullPath}/-/merge_requests/99/subscription`).expect(404);
    await owner.api.put(`/projects/${project.id}`, { visibility: 'private' }).expect(200);
    await pages.post(`${address}/subscription`, { subscribed: 'true' }).expect(404);
  });

  it('takes no wish without the token of the session', async () => {
    const { address } = await place();
    const { pages } = await makeVisitor(app);
    await request(app.url)
      .post(`${address}/subscription`)
      .set('Cookie', `_svc_session=${pages.cookie}`)
      .type('form')
      .send({ subscribed: 'true' })
      .expect(422);
    expect(await read(address, pages)).toContain('You are not subscribed.');
  });
});
