import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { Role } from '../../src/identity/members/roles.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { unique, type MadeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

const XSS = '<script>alert(1)</script>';

let app: TestApp;
let owner: MadeUser;
let pages: PageClient;

beforeAll(async () => {
  app = await sharedTestApp();
  ({ user: owner, pages } = await makeVisitor(app));
});

interface Place {
  project: MadeProject;
  /** Address of the list of milestones. */
  path: string;
  issues: string;
}

async function place(attributes: Partial<Parameters<typeof makeProject>[1]> = {}): Promise<Place> {
  const { namespaceId } = owner;
  const project = await makeProject(app, { namespaceId, visibility: 'public', ...attributes });
  const base = `/${project.fullPath}/-`;
  return { project, path: `${base}/milestones`, issues: `${base}/issues` };
}

async function member({ project }: Place, role: Role): Promise<PageClient> {
  return signedIn(app, (await makeMemberOf(app, project, role)).user);
}

/** Makes a milestone by the form and answers its address. */
async function make({ path }: Place, fields: Record<string, string> = {}): Promise<string> {
  const made = await pages.post(`${path}/new`, { title: unique('Goal '), ...fields });
  expect(made.status).toBe(303);
  return String(made.headers['location']);
}

/** Makes an issue by the form, towards the project's first milestone. */
async function makeIssue(here: Place, fields: Record<string, string> = {}): Promise<string> {
  const [{ id }] = await app.dataSource.query(
    'SELECT id FROM milestones WHERE project_id = $1 ORDER BY iid',
    [here.project.id],
  );
  const given = { title: unique('Issue '), milestone_id: String(id), ...fields };
  const made = await pages.post(`${here.issues}/new`, given).expect(303);
  return String(made.headers['location']);
}

async function read(address: string, by: PageClient = pages): Promise<string> {
  return textOf((await by.get(address).expect(200)).text);
}

describe('milestones by forms', () => {
  it('are made, changed, closed, reopened and deleted', async () => {
    const here = await place();
    expect(await read(here.path)).toContain('No milestones yet');
    await pages.get(`${here.path}/new`).expect(200);
    const address = await make(here, {
      title: 'Version 1.0',
      description: 'The **loom** runs\r\n\r\nby day',
      start_date: '2031-01-01',
      due_date: '2031-03-04',
    });
    expect(address).toBe(`${here.path}/1`);
    const { text } = await pages.get(address).expect(200);
    expect(text).toContain('<strong>loom</strong>');
    for (const part of ['Version 1.0', 'Open', 'Jan 1, 2031 to Mar 4, 2031', 'No issues yet']) {
      expect(textOf(text)).toContain(part);
    }
    const form = await pages.get(`${address}/edit`).expect(200);
    expect(form.text).toContain('value="2031-03-04"');
    const changes = { title: 'Version 1.1', description: '', start_date: '', due_date: '' };
    await pages.post(`${address}/edit`, changes).expect(303);
    const changed = await read(address);
    for (const part of ['Version 1.1', 'No dates', 'No description.']) {
      expect(changed).toContain(part);
    }
    await pages.post(`${address}/state`, { state_event: 'close' }).expect(303);
    expect(await read(address)).toContain('Reopen milestone');
    await pages.post(`${address}/state`, { state_event: 'activate' }).expect(303);
    expect(await read(address)).toContain('Close milestone');
    await pages.post(`${address}/delete`).expect(303).expect('Location', here.path);
    await pages.get(address).expect(404);
  });

  it('show what is wrong, with what was typed in', async () => {
    const here = await place();
    const bad = { title: '', description: XSS, start_date: '2031-02-01', due_date: '2031-01-01' };
    const { text } = await pages.post(`${here.path}/new`, bad).expect(422);
    expect(textOf(text)).toContain("Title can't be blank.");
    expect(textOf(text)).toContain('Due date must not be before the start date.');
    expect(text).not.toContain(XSS);
    expect(text).toContain('&lt;script');
    const address = await make(here, { title: 'Taken' });
    await make(here, { title: 'Other' });
    const taken = await pages.post(`${here.path}/2/edit`, { title: 'Taken' }).expect(422);
    expect(textOf(taken.text)).toContain('Title has already been taken.');
    const day = await pages.post(`${address}/edit`, { title: 'x', due_date: 'soon' }).expect(422);
    expect(textOf(day.text)).toContain('Due date is invalid.');
  });

  it('are for Planners; others read', async () => {
    const here = await place();
    const address = await make(here, { title: 'Version 1.0' });
    const anonymous = await request(app.url).get(address).expect(200);
    expect(textOf(anonymous.text)).not.toContain('Close milestone');
    await request(app.url).get(`${here.path}/new`).expect(302);
    const guest = await member(here, 'guest');
    expect(await read(here.path, guest)).not.toContain('New milestone');
    await guest.get(`${here.path}/new`).expect(404);
    await guest.get(`${address}/edit`).expect(404);
    for (const [path, fields] of [
      [`${here.path}/new`, { title: 'x' }],
      [`${address}/edit`, { title: 'x' }],
      [`${address}/state`, { state_event: 'close' }],
      [`${address}/delete`, {}],
    ] as const) {
      await guest.post(path, fields).expect(404);
    }
    const planner = await member(here, 'planner');
    expect(await read(here.path, planner)).toContain('New milestone');
    await planner.post(`${address}/state`, { state_event: 'close' }).expect(303);
  });

  it('are hidden with their project, closed in archived ones, gone without any work', async () => {
    const hidden = await place({ visibility: 'private' });
    const { pages: stranger } = await makeVisitor(app);
    await stranger.get(await make(hidden)).expect(404);
    const archived = await place({ archived: true });
    expect(await read(archived.path)).not.toContain('New milestone');
    await pages.get(`${archived.path}/new`).expect(404);
    await pages.post(`${archived.path}/new`, { title: 'x' }).expect(404);
    const off = await place({ issuesEnabled: false, mergeRequestsEnabled: false });
    await pages.get(off.path).expect(404);
    await pages.get(`${off.path}/1`).expect(404);
  });
});

describe('the list of milestones', () => {
  it('shows them by state with dates and progress, and finds by text', async () => {
    const here = await place();
    await make(here, { title: 'Version 1.0', due_date: '2001-02-03' });
    const closed = await make(here, { title: 'Version 0.9' });
    await pages.post(`${closed}/state`, { state_event: 'close' }).expect(303);
    const done = await makeIssue(here);
    await pages.post(`${done}/state`, { state_event: 'close' }).expect(303);
    await makeIssue(here);
    await makeIssue(here);
    const open = await read(here.path);
    expect(open).toContain('Version 1.0');
    expect(open).toContain('Expired');
    expect(open).toContain('Due Feb 3, 2001');
    expect(open).toContain('1 of 3 issues closed (33 %)');
    expect(open).toMatch(/Open 1 Closed 1 All 2/);
    expect(open).not.toContain('Version 0.9');
    expect(await read(`${here.path}?state=closed`)).toContain('Version 0.9');
    expect(await read(`${here.path}?state=all&search=1.0`)).not.toContain('Version 0.9');
    expect(await read(`${here.path}?search=silk`)).toContain('No milestones match these filters');
  });

  it('counts and lists confidential issues for those only who see them', async () => {
    const here = await place();
    const address = await make(here);
    await makeIssue(here, { title: 'Roof leaks' });
    await makeIssue(here, { title: 'Door squeaks', confidential: 'true' });
    const shown = await read(address);
    expect(shown).toContain('0 of 2 issues closed');
    expect(shown).toMatch(/Issues Open Door squeaks Confidential .* Open Roof leaks/);
    const guest = await member(here, 'guest');
    expect(await read(address, guest)).toContain('0 of 1 issues closed');
    expect(await read(address, guest)).not.toContain('Door squeaks');
    const anonymous = await request(app.url).get(here.path).expect(200);
    expect(textOf(anonymous.text)).toContain('0 of 1 issues closed');
    expect(await read(address, await member(here, 'reporter'))).toContain('0 of 2');
  });

  it('lists open issues first, and links to those for which there is no room', async () => {
    const here = await place();
    const address = await make(here, { title: 'Version 1.0' });
    await makeIssue(here, { title: 'Roof leaks' });
    const closed = await makeIssue(here, { title: 'Door squeaks' });
    await pages.post(`${closed}/state`, { state_event: 'close' }).expect(303);
    const few = await read(address);
    expect(few).toMatch(/Open Roof leaks .* Closed Door squeaks/);
    expect(few).not.toContain(' more');
    const { milestoneId } = await app.dataSource.manager.findOneByOrFail(Issue, {
      projectId: here.project.id,
      title: 'Roof leaks',
    });
    const rows = Array.from({ length: 51 }, (_, at) => ({
      ...{ projectId: here.project.id, authorId: owner.id, milestoneId },
      ...{ iid: 101 + at, title: `Window ${at} rattles` },
      issueType: at < 3 ? ('incident' as const) : ('issue' as const),
    }));
    await app.dataSource.manager.insert(Issue, rows);
    const { text } = await pages.get(address).expect(200);
    expect(text).not.toContain('Door squeaks');
    const query = '?state=all&amp;milestone=Version+1.0';
    expect(text).toContain(`<a href="${here.issues}${query}">2 more issues</a>`);
    const incidents = here.issues.replace(/issues$/, 'incidents');
    expect(text).toContain(`<a href="${incidents}${query}">1 more incident</a>`);
    const listed = await read(`${incidents}?state=all&milestone=Version+1.0`);
    expect(listed.match(/Window \d rattles/g)).toHaveLength(3);
  });

  it('links to all issues where there are more than it counts', async () => {
    const here = await place();
    const address = await make(here, { title: 'Version 2.0' });
    await makeIssue(here, { title: 'Roof leaks' });
    await app.dataSource.query(
      `INSERT INTO issues (project_id, author_id, milestone_id, iid, title)
       SELECT project_id, author_id, milestone_id, 100 + n, 'Window ' || n
       FROM issues, generate_series(1, 10000) n WHERE project_id = $1`,
      [here.project.id],
    );
    const { text } = await pages.get(address).expect(200);
    const query = '?state=all&amp;milestone=Version+2.0';
    expect(text).toContain(`<a href="${here.issues}${query}">View all issues</a>`);
    expect(text).not.toMatch(/more i|View all incidents/);
  });

  it('counts nothing where issues are off', async () => {
    const here = await place({ issuesEnabled: false });
    const address = await make(here, { title: 'Version 1.0' });
    expect(await read(here.path)).toContain('Version 1.0');
    expect(await read(address)).not.toContain('Progress');
  });
});

describe('milestones on the pages of issues', () => {
  it('are chosen in the form, shown at the side, and filter the list', async () => {
    const here = await place();
    const address = await make(here, { title: 'Version 1.0' });
    const issue = await makeIssue(here, { title: 'Roof leaks' });
    await pages.post(`${here.issues}/new`, { title: 'Door squeaks' }).expect(303);
    const { text } = await pages.get(issue).expect(200);
    expect(text).toContain(`href="${address}"`);
    const form = await pages.get(`${issue}/edit`).expect(200);
    expect(form.text).toMatch(/<option value="\d+" selected>Version 1\.0<\/option>/);
    const link = `${here.issues}?state=all&amp;milestone=Version+1.0`;
    expect((await pages.get(address)).text).toContain(`href="${link}"`);
    const filtered = await read(link.replace('&amp;', '&'));
    expect(filtered).toContain('Roof leaks');
    expect(filtered).not.toContain('Door squeaks');
    await pages.post(`${issue}/edit`, { title: 'Roof leaks', milestone_id: '' }).expect(303);
    expect(await read(issue)).toContain('removed milestone');
    expect((await pages.get(issue)).text).not.toContain(`href="${address}"`);
  });

  it('are no choice for strangers', async () => {
    const here = await place();
    await make(here, { title: 'Version 1.0' });
    const { pages: stranger } = await makeVisitor(app);
    const form = await stranger.get(`${here.issues}/new`).expect(200);
    expect(form.text).not.toContain('name="milestone_id"');
  });
});
