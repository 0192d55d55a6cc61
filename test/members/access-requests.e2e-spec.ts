import { beforeAll, describe, expect, it } from '@jest/globals';
import { Trail } from '../audit/trail.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeToken, makeUser, type MadeActor } from '../support/factories.js';
import { mailsTo } from '../support/mails.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

type Kind = 'project' | 'group';

interface Place {
  owner: MadeActor;
  id: number;
  /** Of the REST API. */
  path: string;
  /** Of the members page. */
  page: string;
  source: { group: { id: number } } | { project: { id: number } };
}

async function makePlace(
  kind: Kind,
  options: { requestAccessEnabled?: boolean; emailsEnabled?: boolean } = {},
): Promise<Place> {
  const owner = await makeActor(app);
  const visibility = 'public' as const;
  if (kind === 'group') {
    const group = await makeOwnedGroup(app, owner, { visibility, ...options });
    const page = `/groups/${group.fullPath}/-/group_members`;
    return { owner, id: group.id, path: `/groups/${group.id}`, page, source: { group } };
  }
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, visibility, ...options });
  const page = `/${project.fullPath}/-/project_members`;
  return { owner, id: project.id, path: `/projects/${project.id}`, page, source: { project } };
}

describe.each(['project', 'group'] as const)('access requests of a %s', (kind) => {
  it('are made, listed and approved, which makes a member', async () => {
    const { owner, path, page } = await makePlace(kind);
    const { user, api: client } = await makeActor(app);
    const requests = `${path}/access_requests`;
    const made = await client.post(requests).expect(201);
    const expected = {
      id: user.id,
      username: user.username,
      name: user.name,
      state: 'active',
      locked: false,
      avatar_url: null,
      web_url: `${app.url}/${user.username}`,
      requested_at: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(made.body).toEqual(expected);
    expect((await owner.api.get(requests).expect(200)).body).toEqual([made.body]);
    const again = await client.post(requests).expect(400);
    expect(again.body).toEqual({ message: { user_id: ['already exists in source'] } });
    const [mail] = await mailsTo(app, owner.user.email);
    expect(mail).toMatchObject({ kind: 'access_requested' });
    expect(mail?.subject).toContain(`${user.name} requested access`);
    expect(mail?.text).toContain(page);
    const approved = await owner.api.put(`${requests}/${user.id}/approve`).expect(201);
    expect(approved.body).toMatchObject({ id: user.id, access_level: 30 });
    expect((await owner.api.get(requests)).body).toEqual([]);
    await owner.api.put(`${requests}/${user.id}/approve`).expect(404);
    await client.post(requests).expect(403);
  });

  it('are approved with a level up to that of the approver', async () => {
    const { owner, path, source } = await makePlace(kind);
    const { user, api: client } = await makeActor(app);
    await client.post(`${path}/access_requests`).expect(201);
    const approve = `${path}/access_requests/${user.id}/approve`;
    await owner.api.put(approve, { access_level: 31 }).expect(400);
    const maintainer = await makeActor(app);
    await makeMember(app, { ...source, user: maintainer.user, role: 'maintainer' });
    await maintainer.api.put(approve, { access_level: 50 }).expect(403);
    const { body } = await owner.api.put(approve, { access_level: 20 }).expect(201);
    expect(body).toMatchObject({ access_level: 20 });
  });

  it('are denied by those who manage members, and withdrawn by who made them', async () => {
    const { owner, path, source } = await makePlace(kind);
    const { user, api: client } = await makeActor(app);
    const own = `${path}/access_requests/${user.id}`;
    await client.post(`${path}/access_requests`).expect(201);
    const other = await makeActor(app);
    await makeMember(app, { ...source, user: other.user, role: 'developer' });
    await other.api.delete(own).expect(403);
    await other.api.get(`${path}/access_requests`).expect(403);
    await other.api.put(`${own}/approve`).expect(403);
    await client.put(`${own}/approve`).expect(403);
    await client.delete(own).expect(204);
    await client.post(`${path}/access_requests`).expect(201);
    await owner.api.delete(own).expect(204);
    await owner.api.delete(own).expect(404);
  });

  it('are refused to members, bots of others and where they are disabled', async () => {
    const { path, source } = await makePlace(kind);
    const member = await makeActor(app);
    await makeMember(app, { ...source, user: member.user, role: 'guest' });
    await member.api.post(`${path}/access_requests`).expect(403);
    const bot = await makeUser(app, { userType: 'project_bot' });
    const botClient = api(app.url, await makeToken(app, bot));
    await botClient.post(`${path}/access_requests`).expect(403);
    const closed = await makePlace(kind, { requestAccessEnabled: false });
    const { api: client } = await makeActor(app);
    await client.post(`${closed.path}/access_requests`).expect(403);
  });

  it('end when the user becomes a member in another way', async () => {
    const { owner, path } = await makePlace(kind);
    const { user, api: client } = await makeActor(app);
    await client.post(`${path}/access_requests`).expect(201);
    await owner.api.post(`${path}/members`, { user_id: user.id, access_level: 20 }).expect(201);
    expect((await owner.api.get(`${path}/access_requests`)).body).toEqual([]);
  });

  it('send no email where emails are disabled', async () => {
    const { owner, path } = await makePlace(kind, { emailsEnabled: false });
    const { api: client } = await makeActor(app);
    await client.post(`${path}/access_requests`).expect(201);
    expect(await mailsTo(app, owner.user.email)).toEqual([]);
  });

  it('are part of the audit log', async () => {
    const { owner, id, path } = await makePlace(kind);
    const { user, api: client } = await makeActor(app);
    const trail = new Trail((await makeAdmin(app)).api);
    await client.post(`${path}/access_requests`).expect(201);
    await client.delete(`${path}/access_requests/${user.id}`).expect(204);
    await client.post(`${path}/access_requests`).expect(201);
    await owner.api.delete(`${path}/access_requests/${user.id}`).expect(204);
    await client.post(`${path}/access_requests`).expect(201);
    await owner.api.put(`${path}/access_requests/${user.id}/approve`).expect(201);
    const type = kind === 'group' ? 'Group' : 'Project';
    const names = (await trail.story(type, id)).map((entry) => (entry as [string])[0]);
    expect(names).toEqual([
      'access_requested',
      'access_request_withdrawn',
      'access_requested',
      'access_request_denied',
      'access_requested',
      'member_created',
    ]);
    expect(await trail.told(type, id)).toMatchObject({
      author_id: owner.user.id,
      target: `User ${user.id}`,
      facts: { access_request: 'approved' },
    });
  });
});

describe('the emails about an access request', () => {
  it('go to owners and maintainers, inherited ones included, but to no one else', async () => {
    const above = await makeActor(app);
    const group = await makeOwnedGroup(app, above, { visibility: 'public' });
    const below = await makeGroup(app, { parentId: group.id, visibility: 'public' });
    const project = await makeProject(app, { namespaceId: below.id, visibility: 'public' });
    const [maintainer, developer] = [await makeUser(app), await makeUser(app)];
    await makeMember(app, { project, user: maintainer, role: 'maintainer' });
    await makeMember(app, { project, user: developer, role: 'developer' });
    const { api: client } = await makeActor(app);
    await client.post(`/projects/${project.id}/access_requests`).expect(201);
    const counts = [above.user, maintainer, developer].map(
      async ({ email }) => (await mailsTo(app, email)).length,
    );
    expect(await Promise.all(counts)).toEqual([1, 1, 0]);
  });
});
