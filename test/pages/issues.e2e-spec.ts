import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { Role } from '../../src/identity/members/roles.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser, unique, type MadeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import { makeMember, makeProject, type MadeProject } from '../support/project-factories.js';

const XSS = '<script>alert(1)</script>';

let app: TestApp;
let owner: MadeUser;
let pages: PageClient;

beforeAll(async () => {
  app = await sharedTestApp();
  ({ user: owner, pages } = await makeVisitor(app, { name: 'Grace Hopper' }));
});

interface Place {
  project: MadeProject;
  /** Address of the list of issues. */
  issues: string;
  incidents: string;
}

async function place(attributes: Partial<Parameters<typeof makeProject>[1]> = {}): Promise<Place> {
  const { namespaceId } = owner;
  const project = await makeProject(app, { namespaceId, visibility: 'public', ...attributes });
  const base = `/${project.fullPath}/-`;
  return { project, issues: `${base}/issues`, incidents: `${base}/incidents` };
}

async function member(of: MadeProject, role: Role): Promise<PageClient> {
  const user = await makeUser(app);
  await makeMember(app, { project: of, user, role });
  return signedIn(app, user);
}

/** Makes an issue by the form and answers its address. */
async function make(
  { issues }: Place,
  fields: Record<string, string> = {},
  by: PageClient = pages,
): Promise<string> {
  const made = await by.post(`${issues}/new`, { title: unique('Roof '), ...fields });
  expect(made.status).toBe(303);
  return String(made.headers['location']);
}

async function issueOf({ project }: Place, iid: number): Promise<Record<string, unknown>> {
  const token = await makeToken(app, owner);
  const response = await api(app.url, token).get(`/projects/${project.id}/issues/${iid}`);
  return response.body as Record<string, unknown>;
}

async function read(address: string, by: PageClient = pages): Promise<string> {
  return textOf((await by.get(address).expect(200)).text);
}

describe('new issues', () => {
  it('are made by a form with everything that plans the work', async () => {
    const here = await place();
    await pages.get(`${here.issues}/new`).expect(200);
    const address = await make(here, {
      title: 'Roof leaks',
      description: '# Where\r\n\r\nOver the **hall**',
      labels: 'roof, urgent',
      assignees: `@${owner.username.toUpperCase()}`,
      due_date: '2031-03-04',
      confidential: 'true',
      issue_type: 'issue',
    });
    expect(address).toBe(`${here.issues}/1`);
    expect(await issueOf(here, 1)).toMatchObject({
      title: 'Roof leaks',
      description: '# Where\n\nOver the **hall**',
      labels: ['roof', 'urgent'],
      assignees: [{ username: owner.username }],
      due_date: '2031-03-04',
      confidential: true,
      issue_type: 'issue',
    });
    const { text } = await pages.get(address).expect(200);
    expect(text).toContain('<h3>Where</h3>');
    expect(text).toContain('<strong>hall</strong>');
    const shown = textOf(text);
    for (const part of ['Open', 'Confidential', 'roof', 'urgent', 'Mar 4, 2031', 'Grace Hopper']) {
      expect(shown).toContain(part);
    }
  });

  it('may be incidents', async () => {
    const here = await place();
    const form = await read(`${here.issues}/new?type=incident`);
    expect(form).toContain('New incident');
    const address = await make(here, { issue_type: 'incident' });
    expect(address).toBe(`${here.issues}/incident/1`);
    expect(await read(address)).toContain('Incident');
    await pages.get(`${here.issues}/1`).expect(200);
  });

  it('show what is wrong, with what was typed in', async () => {
    const here = await place();
    const bad = { title: ' ', description: XSS, assignees: 'nobody-of-that-name' };
    const { text } = await pages.post(`${here.issues}/new`, bad).expect(422);
    expect(textOf(text)).toContain('Assignees contain an unknown name: nobody-of-that-name.');
    expect(text).not.toContain(XSS);
    expect(text).toContain('&lt;script');
    const other = { title: '', due_date: 'soon' };
    const again = await pages.post(`${here.issues}/new`, other).expect(422);
    expect(textOf(again.text)).toContain('Title is empty.');
    expect(textOf(again.text)).toContain('Due date is invalid.');
    expect(await read(here.issues)).toContain('No issues yet');
  });

  it('of strangers have texts only', async () => {
    const here = await place();
    const { pages: stranger } = await makeVisitor(app);
    const form = await stranger.get(`${here.issues}/new`).expect(200);
    expect(form.text).not.toContain('name="labels"');
    expect(form.text).not.toContain('name="issue_type"');
    await make(here, { labels: 'bug', issue_type: 'incident' }, stranger);
    expect(await issueOf(here, 1)).toMatchObject({ labels: [], issue_type: 'issue' });
  });

  it('are not made in archived projects, nor where issues are off', async () => {
    for (const attributes of [{ archived: true }, { issuesEnabled: false }]) {
      const { issues } = await place(attributes);
      await pages.get(`${issues}/new`).expect(404);
      await pages.post(`${issues}/new`, { title: 'x' }).expect(404);
    }
  });

  it('need a sign-in and the token of the form', async () => {
    const here = await place();
    await request(app.url).get(`${here.issues}/new`).expect(302);
    const sent = request(app.url).post(`${here.issues}/new`);
    await sent.set('Cookie', `_svc_session=${pages.cookie}`).type('form').send({ title: 'x' });
    expect(await read(here.issues)).toContain('No issues yet');
  });
});

describe('the lists', () => {
  it('show issues and, on their own, incidents, by state with their numbers', async () => {
    const here = await place();
    await make(here, { title: 'Roof leaks', labels: 'roof' });
    await make(here, { title: 'Fire in the barn', issue_type: 'incident' });
    const closed = await make(here, { title: 'Door squeaks' });
    await pages.post(`${closed}/state`, { state_event: 'close' }).expect(303);
    const issues = await read(here.issues);
    expect(issues).toContain('Roof leaks');
    expect(issues).not.toContain('Fire in the barn');
    expect(issues).not.toContain('Door squeaks');
    expect(issues).toMatch(/Open 1 Closed 1 All 2/);
    expect(await read(`${here.issues}?state=closed`)).toContain('Door squeaks');
    const incidents = await read(here.incidents);
    expect(incidents).toContain('Fire in the barn');
    expect(incidents).toContain('Unknown severity');
    expect(incidents).not.toContain('Roof leaks');
    expect(incidents).toMatch(/Open 1 Closed 0 All 1/);
  });

  it('are filtered by text, label and assignee, and ordered', async () => {
    const here = await place();
    await make(here, { title: 'Alpha', labels: 'roof', assignees: owner.username });
    await make(here, { title: 'Beta', labels: 'door' });
    const cases: [string, string[]][] = [
      ['search=alph', ['Alpha']],
      ['label=door', ['Beta']],
      [`assignee=%40${owner.username}`, ['Alpha']],
      ['assignee=none', ['Beta']],
      ['assignee=any', ['Alpha']],
      ['search=gamma', []],
    ];
    for (const [query, found] of cases) {
      const text = await read(`${here.issues}?state=opened&${query}`);
      expect(['Alpha', 'Beta'].filter((title) => text.includes(title))).toEqual(found);
    }
    const byTitle = await read(`${here.issues}?order=title_asc`);
    expect(byTitle.indexOf('Alpha')).toBeLessThan(byTitle.indexOf('Beta'));
    expect(await read(`${here.issues}?search=gamma`)).toContain('No issues match these filters');
    await pages.get(`${here.issues}?state=some`).expect(400);
  });

  it('page, and keep the filters', async () => {
    const here = await place();
    for (const title of ['One', 'Two', 'Three']) await make(here, { title, labels: 'x y' });
    const { text } = await pages.get(`${here.issues}?label=x+y&per_page=2`).expect(200);
    expect(text).toContain('label=x+y');
    expect(textOf(text)).toContain('Next');
  });

  it('are for everyone who sees the project; confidential issues are not', async () => {
    const here = await place();
    const hidden = await make(here, { title: 'Hidden thing', confidential: 'true' });
    const open = await make(here, { title: 'Open thing' });
    const { text } = await request(app.url).get(here.issues).expect(200);
    expect(textOf(text)).toContain('Open thing');
    expect(textOf(text)).not.toContain('Hidden thing');
    expect(text).not.toContain('New issue');
    expect(text).toMatch(/Open <span>1<\/span>|Open<span>1<\/span>/);
    await request(app.url).get(open).expect(200);
    await request(app.url).get(hidden).expect(404);
    const { pages: stranger } = await makeVisitor(app);
    await stranger.get(hidden).expect(404);
    await stranger.get(`${hidden}/edit`).expect(404);
    await stranger.post(`${hidden}/notes`, { body: 'x' }).expect(404);
    await (await member(here.project, 'reporter')).get(hidden).expect(200);
    const closed = await place({ visibility: 'private' });
    await stranger.get(closed.issues).expect(404);
    await pages.get((await place({ issuesEnabled: false })).issues).expect(404);
  });
});

describe('the tasks of a description', () => {
  const TEXT = 'To do:\n\n- [ ] one [ ]\n- [x] two\n\n```\n- [ ] code\n```\n\n> 1. [ ] three';
  const BUTTON =
    /<button class="task-box" type="submit" form="tasks" name="task" value="(\d)" role="checkbox" aria-checked="(\w+)"/g;
  const boxes = (text: string) => [...text.matchAll(BUTTON)].map(([, ...box]) => box.join(' '));
  const digestIn = (text: string) => /name="digest" value="(\w+)"/.exec(text)?.[1] ?? '';

  it('can be toggled by users who can change the issue', async () => {
    const address = await make(await place(), { description: TEXT });
    for (const [task, expected] of [
      ['2', ['0 false', '1 true', '2 true']],
      ['0', ['0 true', '1 true', '2 true']],
      ['1', ['0 true', '1 false', '2 true']],
    ] as const) {
      const { text } = await pages.get(address).expect(200);
      const sent = { task, digest: digestIn(text) };
      await pages.post(`${address}/edit/task`, sent).expect(303).expect('Location', address);
      expect(boxes((await pages.get(address).expect(200)).text)).toEqual(expected);
    }
    const { text } = await pages.get(`${address}/edit`).expect(200);
    expect(text).toContain('- [x] one [ ]\n- [ ] two\n\n```\n- [ ] code');
  });

  it('stay unchanged when the text has changed or the task does not exist', async () => {
    const address = await make(await place(), { description: TEXT });
    const { text } = await pages.get(address).expect(200);
    for (const sent of [
      { task: '0', digest: '0'.repeat(16) },
      { task: '9', digest: digestIn(text) },
      { task: 'x', digest: digestIn(text) },
      { task: '0', digest: '' },
    ]) {
      await pages.post(`${address}/edit/task`, sent).expect(303);
    }
    expect(boxes((await pages.get(address)).text)).toEqual(boxes(text));
  });

  it('are read-only for everyone else', async () => {
    const of = await place();
    const address = await make(of, { description: TEXT });
    const guest = await member(of.project, 'guest');
    const { text } = await guest.get(address).expect(200);
    expect(boxes(text)).toEqual([]);
    expect(text).toContain('<input type="checkbox" disabled');
    await guest.post(`${address}/edit/task`, { task: '0', digest: '0' }).expect(404);
  });
});

describe('an issue', () => {
  it('shows nothing of its texts as HTML', async () => {
    const here = await place();
    const address = await make(here);
    await app.dataSource.query(
      'UPDATE issues SET title = $2, description = $3, labels = ARRAY[$4] WHERE project_id = $1',
      [
        here.project.id,
        XSS,
        `${XSS} [x](javascript:alert(1)) ![y](https://a.example/y.png)`,
        `"><img src=x onerror=alert(1)>`,
      ],
    );
    await pages.post(`${address}/notes`, { body: `<img src=x onerror=alert(1)> ${XSS}` });
    const { text } = await pages.get(address).expect(200);
    expect(text).not.toContain(XSS);
    expect(text).not.toContain('<img src=x');
    expect(text).not.toContain('href="javascript');
    expect((await pages.get(here.issues)).text).not.toContain('<img src=x');
  });

  it('is changed by its form, with notes of what was done', async () => {
    const here = await place();
    const address = await make(here, { title: 'Roof leaks', labels: 'roof' });
    const form = await pages.get(`${address}/edit`).expect(200);
    expect(form.text).toContain('value="Roof leaks"');
    const changed = await pages.post(`${address}/edit`, {
      title: 'Roof is open',
      description: '',
      labels: '',
      assignees: owner.username,
      due_date: '',
      issue_type: 'incident',
      confidential: 'false',
      discussion_locked: 'true',
    });
    expect([changed.status, changed.headers['location']]).toEqual([
      303,
      `${here.issues}/incident/1`,
    ]);
    expect(await issueOf(here, 1)).toMatchObject({
      title: 'Roof is open',
      labels: [],
      assignees: [{ username: owner.username }],
      issue_type: 'incident',
      discussion_locked: true,
    });
    const text = await read(address);
    expect(text).toContain('changed title from Roof leaks to Roof is open');
    expect(text).toContain('Discussion locked');
    const bad = await pages.post(`${address}/edit`, { title: '' }).expect(422);
    expect(textOf(bad.text)).toContain('Title is empty.');
  });

  it('lets authors without a role change the texts only', async () => {
    const here = await place();
    const { pages: author } = await makeVisitor(app);
    const address = await make(here, { title: 'Mine' }, author);
    const form = await author.get(`${address}/edit`).expect(200);
    expect(form.text).not.toContain('name="labels"');
    await author.post(`${address}/edit`, { title: 'Still mine', labels: 'x' }).expect(303);
    expect(await issueOf(here, 1)).toMatchObject({ title: 'Still mine', labels: [] });
    const { pages: other } = await makeVisitor(app);
    expect((await other.get(address).expect(200)).text).not.toContain(`${address}/edit`);
    await other.get(`${address}/edit`).expect(404);
    await other.post(`${address}/edit`, { title: 'Yours' }).expect(404);
    await other.post(`${address}/state`, { state_event: 'close' }).expect(403);
    await other.post(`${address}/assign`, { assigned: 'true' }).expect(404);
    await other.post(`${address}/delete`).expect(404);
  });

  it('is closed and reopened, assigned and deleted by buttons', async () => {
    const here = await place();
    const address = await make(here);
    await pages.post(`${address}/state`, { state_event: 'close' }).expect(303);
    expect(await read(address)).toContain('Reopen issue');
    expect(await issueOf(here, 1)).toMatchObject({ state: 'closed' });
    await pages.post(`${address}/state`, { state_event: 'reopen' }).expect(303);
    expect(await issueOf(here, 1)).toMatchObject({ state: 'opened' });
    await pages.post(`${address}/assign`, { assigned: 'true' }).expect(303);
    expect(await issueOf(here, 1)).toMatchObject({ assignees: [{ id: owner.id }] });
    expect(await read(address)).toContain('Unassign me');
    await pages.post(`${address}/assign`, { assigned: 'false' }).expect(303);
    expect(await issueOf(here, 1)).toMatchObject({ assignees: [] });
    await (await member(here.project, 'maintainer')).post(`${address}/delete`).expect(404);
    const deleted = await pages.post(`${address}/delete`).expect(303);
    expect(deleted.headers['location']).toBe(here.issues);
    await pages.get(address).expect(404);
  });

  it('says whether its mails are wanted, with a button for that', async () => {
    const here = await place();
    const address = await make(here);
    expect(await read(address)).toContain('You are subscribed.');
    await pages.post(`${address}/subscription`, { subscribed: 'false' }).expect(303);
    expect(await read(address)).toContain('You are not subscribed.');
    expect(await issueOf(here, 1)).toMatchObject({ subscribed: false });
    await pages.post(`${address}/subscription`, { subscribed: 'false' }).expect(303);
    const stranger = await signedIn(app, await makeUser(app));
    expect(await read(address, stranger)).toContain('You are not subscribed.');
    const made = await stranger.post(`${address}/subscription`, { subscribed: 'true' });
    expect([made.status, made.headers['location']]).toEqual([303, address]);
    expect(await read(address, stranger)).toContain('You are subscribed.');
    const { text } = await request(app.url).get(address).expect(200);
    expect(text).not.toContain('subscribed.');
    await stranger.post(`${here.issues}/9/subscription`, { subscribed: 'true' }).expect(404);
  });

  it('cannot be changed in an archived project, but read', async () => {
    const here = await place();
    const address = await make(here);
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [
      here.project.id,
    ]);
    const text = await read(address);
    expect(text).toContain('The project is archived.');
    expect(text).not.toContain('Close issue');
    await pages.get(`${address}/edit`).expect(404);
    await pages.post(`${address}/state`, { state_event: 'close' }).expect(404);
    await pages.post(`${address}/notes`, { body: 'x' }).expect(404);
    await pages.post(`${address}/subscription`, { subscribed: 'false' }).expect(303);
  });
});

describe('comments', () => {
  async function noteIds({ project }: Place): Promise<number[]> {
    const rows = await app.dataSource.query<{ id: number }[]>(
      `SELECT n.id FROM notes n JOIN issues i ON i.id = n.issue_id
       WHERE i.project_id = $1 AND NOT n.system ORDER BY n.id`,
      [project.id],
    );
    return rows.map(({ id }) => id);
  }

  it('are written, changed and deleted by forms', async () => {
    const here = await place();
    const address = await make(here);
    const sent = await pages.post(`${address}/notes`, { body: 'One\r\n\r\n**two**' }).expect(303);
    const [id] = await noteIds(here);
    expect(sent.headers['location']).toBe(`${address}#note_${id}`);
    const { text } = await pages.get(address);
    expect(text).toContain('<p>One</p>\n<p><strong>two</strong></p>');
    const note = `${address}/notes/${id}`;
    expect((await pages.get(`${note}/edit`).expect(200)).text).toContain('One\n\n**two**');
    await pages.post(`${note}/edit`, { body: 'Three' }).expect(303);
    expect(await read(address)).toMatch(/edited .*Three/);
    const blank = await pages.post(`${note}/edit`, { body: ' ' }).expect(422);
    expect(textOf(blank.text)).toContain("Body can't be blank.");
    await pages.post(`${note}/delete`).expect(303);
    expect(await noteIds(here)).toEqual([]);
    await pages.get(`${note}/edit`).expect(404);
  });

  it('show the page again with what is wrong', async () => {
    const here = await place();
    const address = await make(here);
    const { text } = await pages.post(`${address}/notes`, { body: '\r\n ' }).expect(422);
    expect(textOf(text)).toContain("Body can't be blank.");
    expect(await noteIds(here)).toEqual([]);
  });

  /** The message of the page to which the answer leads. */
  async function told(answer: { headers: Record<string, string> }): Promise<string> {
    const flash = /_svc_flash=[^;]*/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
    const cookie = `_svc_session=${pages.cookie}; ${flash}`;
    const { text } = await pages.get(answer.headers['location'] ?? '').set('Cookie', cookie);
    return /<div class="alert" role="\w+" data-tone="\w+">([^<]*)</.exec(text)?.[1] ?? '';
  }

  it('do what their commands say, and the page tells so', async () => {
    const here = await place();
    const address = await make(here);
    const sent = await pages
      .post(`${address}/notes`, { body: '/close\r\n/label ~<b>' })
      .expect(303);
    expect(sent.headers['location']).toBe(address);
    expect(await told(sent)).toBe('Closed this issue. Added ~&quot;&lt;b>&quot; label.');
    expect(await read(address)).toContain('Save <b>');
    expect(await noteIds(here)).toEqual([]);
    const mixed = await pages.post(`${address}/notes`, { body: 'Sorry\r\n/reopen' }).expect(303);
    const [id] = await noteIds(here);
    expect(mixed.headers['location']).toBe(`${address}#note_${id}`);
    expect(await told(mixed)).toBe('Reopened this issue.');
  });

  it('may be internal, for Reporters and above', async () => {
    const here = await place();
    const address = await make(here);
    await pages.post(`${address}/notes`, { body: 'Hush now', internal: 'true' }).expect(303);
    expect(await read(address)).toContain('Internal');
    const guest = await member(here.project, 'guest');
    const page = await guest.get(address).expect(200);
    expect(page.text).not.toContain('Hush now');
    expect(page.text).not.toContain('name="internal"');
    await guest.post(`${address}/notes`, { body: 'x', internal: 'true' }).expect(403);
    const [id] = await noteIds(here);
    await guest.get(`${address}/notes/${id}/edit`).expect(404);
  });

  it('of others are left alone', async () => {
    const here = await place();
    const address = await make(here);
    await pages.post(`${address}/notes`, { body: 'Mine' }).expect(303);
    const [id] = await noteIds(here);
    const { pages: other } = await makeVisitor(app);
    expect((await other.get(address)).text).not.toContain(`/notes/${id}/edit`);
    await other.get(`${address}/notes/${id}/edit`).expect(403);
    await other.post(`${address}/notes/${id}/edit`, { body: 'x' }).expect(403);
    await other.post(`${address}/notes/${id}/delete`).expect(403);
    const maintainer = await member(here.project, 'maintainer');
    await maintainer.post(`${address}/notes/${id}/delete`).expect(303);
  });

  it('need a sign-in, and membership when the discussion is locked', async () => {
    const here = await place();
    const address = await make(here);
    const anonymous = await request(app.url).get(address).expect(200);
    expect(textOf(anonymous.text)).toContain('Sign in to comment.');
    await app.dataSource.query('UPDATE issues SET discussion_locked = true WHERE project_id = $1', [
      here.project.id,
    ]);
    const { pages: stranger } = await makeVisitor(app);
    expect(await read(address, stranger)).toContain('The discussion is locked.');
    await stranger.post(`${address}/notes`, { body: 'x' }).expect(403);
    await (await member(here.project, 'guest')).post(`${address}/notes`, { body: 'x' }).expect(303);
  });

  it('name labels without the signs of references', async () => {
    const here = await place();
    const address = await make(here);
    const labels = 'urgent,a *b*';
    const path = `/projects/${here.project.id}/issues/1`;
    const client = api(app.url, await makeToken(app, owner));
    await client.put(path, { add_labels: labels }).expect(200);
    await client.put(path, { remove_labels: 'urgent' }).expect(200);
    const { text } = await pages.get(address).expect(200);
    for (const name of ['urgent', 'a *b*']) expect(text).toContain(`<strong>${name}</strong>`);
    expect(text).toMatch(/>added <strong>/);
    expect(text).toContain('removed <strong>urgent</strong> label');
  });

  it('stand oldest first above the form, the latest on the first page', async () => {
    const here = await place();
    const address = await make(here);
    for (const body of ['first one', 'second one', 'third one']) {
      await pages.post(`${address}/notes`, { body }).expect(303);
    }
    const text = await read(`${address}?per_page=2`);
    expect(text).toMatch(/Show earlier activity.*second one.*third one.*Add comment/);
    expect(text).not.toContain('first one');
  });
});

describe('bulk changes of the list', () => {
  it('assign, label, close and reopen the selected issues, and keep the filter', async () => {
    const here = await place();
    const numbers = ['1', '2'];
    for (const iid of [...numbers, '3']) {
      await pages.post(`${here.issues}/new`, { title: `Loom ${iid}` }).expect(303);
    }
    const { text } = await pages.get(here.issues).expect(200);
    expect(text).toContain('form="bulk-issues"');
    const change = (fields: Record<string, string | string[]>, by = pages) =>
      by.post(`${here.issues}/bulk?search=loom`, fields);
    const changed = await change({ iids: numbers, assignee: owner.username, label: 'urgent' });
    expect(changed.headers['location']).toBe(`${here.issues}?search=loom`);
    await change({ iids: ['1'], assignee: 'None' }).expect(303);
    await change({ iids: numbers, state_event: 'close' }).expect(303);
    const rows = await app.dataSource.query<object[]>(
      `SELECT i.iid::int, i.state, i.labels, count(a.user_id)::int AS assignees FROM issues i
         LEFT JOIN issue_assignees a ON a.issue_id = i.id
       WHERE i.project_id = $1 GROUP BY i.id ORDER BY i.iid`,
      [here.project.id],
    );
    expect(rows).toEqual([
      { iid: 1, state: 'closed', labels: ['urgent'], assignees: 0 },
      { iid: 2, state: 'closed', labels: ['urgent'], assignees: 1 },
      { iid: 3, state: 'opened', labels: [], assignees: 0 },
    ]);
    await change({ iids: ['1'], assignee: 'nobody-has-this-name' }).expect(303);
    await change({ iids: ['99', 'x'], state_event: 'close' }).expect(303);
    const guest = await member(here.project, 'guest');
    expect((await guest.get(here.issues)).text).not.toContain('form="bulk-issues"');
    await change({ iids: ['1'], state_event: 'reopen' }, guest).expect(303);
    expect(await read(`${here.issues}?state=closed`)).toContain('Loom 1');
  });
});
