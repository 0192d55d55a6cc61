import { beforeAll, describe, expect, it } from '@jest/globals';
import { Group } from '../../src/workspace/groups/group.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { makeSession, makeVisitor, pageClient } from '../support/page-client.js';
import {
  makeGroup,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';
import { Trail } from '../audit/trail.js';

const ON = { emails_enabled: true, emails_disabled: false };
const OFF = { emails_enabled: false, emails_disabled: true };
const TURNED_OFF = { emails_enabled: { from: true, to: false } };

let app: TestApp;
let owner: MadeActor;
let trail: Trail;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  trail = new Trail((await makeAdmin(app)).api);
});

describe('emails_enabled of a project', () => {
  it('is on unless it is turned off, under its former name as well', async () => {
    const body = { namespace_id: owner.user.namespaceId };
    const [plain, silent] = [
      await owner.api.post('/projects', { ...body, name: unique('p') }).expect(201),
      await owner.api.post('/projects', { ...body, name: unique('p'), emails_disabled: true }),
    ];

    expect(plain.body).toMatchObject(ON);
    expect(silent.body).toMatchObject(OFF);
  });

  it.each([
    [{ emails_enabled: false }, OFF],
    [{ emails_disabled: 'true' }, OFF],
    [{ emails_disabled: false }, ON],
    [{ emails_enabled: 'true', emails_disabled: true }, ON],
    [{ emails_enabled: null, description: 'x' }, ON],
  ])('becomes what %j says', async (body, expected) => {
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const answer = await owner.api.put(`/projects/${project.id}`, body).expect(200);
    expect(answer.body).toMatchObject(expected);
  });

  it('is for owners, and the trail tells who changed it', async () => {
    const maintainer = await makeActor(app);
    const group = await makeOwnedGroup(app, owner);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user: maintainer.user, role: 'maintainer' });
    const address = `/projects/${project.id}`;

    await maintainer.api.put(address, { emails_enabled: false }).expect(403);
    await maintainer.api.put(address, { emails_disabled: true }).expect(403);
    await owner.api.put(address, { emails_enabled: false }).expect(200);

    expect(await trail.story('Project', project.id)).toEqual([['project_updated', TURNED_OFF, {}]]);
    expect((await maintainer.api.get(address)).body).toMatchObject(OFF);
  });

  it('answers 400 to what is no boolean', async () => {
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const answer = await owner.api
      .put(`/projects/${project.id}`, { emails_enabled: 'maybe' })
      .expect(400);
    expect(answer.body).toMatchObject({ error: 'emails_enabled is invalid' });
  });

  it('is a box in the settings, which maintainers are not shown', async () => {
    const [visitor, maintainer] = [await makeVisitor(app), await makeVisitor(app)];
    const group = await makeOwnedGroup(app, visitor);
    const project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user: maintainer.user, role: 'maintainer' });
    const address = `/${project.fullPath}/-/edit`;
    const identity = { name: project.name, path: project.path, visibility: 'private' };

    const { text } = await maintainer.pages.get(address).expect(200);
    await maintainer.pages.post(address, { description: 'Mine' }).expect(303);
    await visitor.pages.post(address, { ...identity, emails_enabled: 'false' }).expect(303);

    expect(text).not.toContain('name="emails_enabled"');
    const { emailsEnabled } = await app.dataSource.manager.findOneByOrFail(Project, {
      id: project.id,
    });
    expect(emailsEnabled).toBe(false);
    expect(await isTicked(visitor, address)).toBe(false);
  });
});

describe('emails_enabled of a group', () => {
  it('is on unless it is turned off, under its former name as well', async () => {
    const body = { name: 'G' };
    const [plain, silent] = [
      await owner.api.post('/groups', { ...body, path: unique('g') }).expect(201),
      await owner.api.post('/groups', { ...body, path: unique('g'), emails_disabled: true }),
    ];
    expect([plain.body, silent.body]).toMatchObject([ON, OFF]);
  });

  it('is for owners, keeps when it is not given, and the trail tells who changed it', async () => {
    const maintainer = await makeActor(app);
    const group = await makeOwnedGroup(app, owner);
    await makeMember(app, { group, user: maintainer.user, role: 'maintainer' });
    const address = `/groups/${group.id}`;

    await maintainer.api.put(address, { emails_enabled: false }).expect(403);
    expect((await owner.api.put(address, { emails_enabled: false })).body).toMatchObject(OFF);
    expect((await owner.api.put(address, { description: 'x' })).body).toMatchObject(OFF);

    const [[, changes]] = (await trail.story('Group', group.id)) as [[string, object, object]];
    expect(changes).toEqual(TURNED_OFF);
    expect((await owner.api.put(address, { emails_disabled: false })).body).toMatchObject(ON);
  });

  it('is off for all that is below a group that has it off, whatever they decided', async () => {
    const group = await makeOwnedGroup(app, owner, { emailsEnabled: false });
    const subgroup = await makeGroup(app, { parentId: group.id });
    const project = await makeProject(app, { namespaceId: subgroup.id });

    expect((await owner.api.get(`/groups/${group.id}`)).body).toMatchObject(OFF);
    expect((await owner.api.get(`/groups/${subgroup.id}`)).body).toMatchObject(OFF);
    expect((await owner.api.get(`/projects/${project.id}`)).body).toMatchObject(OFF);
    const list = await owner.api.get(`/projects?id_after=${project.id - 1}&membership=true`);
    expect(list.body).toMatchObject([{ id: project.id, ...OFF }]);
    const pages = pageClient(app, await makeSession(app, owner.user));
    expect(await isTicked({ pages }, `/${project.fullPath}/-/edit`)).toBe(true);

    await owner.api.put(`/groups/${group.id}`, { emails_enabled: true }).expect(200);
    expect((await owner.api.get(`/groups/${subgroup.id}`)).body).toMatchObject(ON);
    expect((await owner.api.get(`/projects/${project.id}`)).body).toMatchObject(ON);
  });

  it('is a box in the settings and in the form of a new group', async () => {
    const visitor = await makeVisitor(app);
    const group = await makeOwnedGroup(app, visitor);
    const address = `/groups/${group.fullPath}/-/edit`;
    const fields = { name: group.name, path: group.path, visibility: 'private' };
    const path = unique('silent');

    expect(await isTicked(visitor, '/groups/new')).toBe(true);
    await visitor.pages.post(address, { ...fields, emails_enabled: 'false' }).expect(303);
    await visitor.pages.post('/groups/new', { ...fields, path, emails_enabled: 'false' });

    expect(await isTicked(visitor, address)).toBe(false);
    expect(await isTicked(visitor, `/groups/${path}/-/edit`)).toBe(false);
    const { emailsEnabled } = await app.dataSource.manager.findOneByOrFail(Group, { id: group.id });
    expect(emailsEnabled).toBe(false);
  });
});

async function isTicked(
  { pages }: Pick<Awaited<ReturnType<typeof makeVisitor>>, 'pages'>,
  address: string,
): Promise<boolean> {
  const { text } = await pages.get(address).expect(200);
  const [box] = /<input[^>]*type="checkbox"[^>]*name="emails_enabled"[^>]*>/.exec(text) ?? [];
  if (box === undefined) throw new Error(`No box in ${address}`);
  return /\schecked\b/.test(box);
}
