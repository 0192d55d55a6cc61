import { beforeAll, describe, expect, it } from '@jest/globals';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { createIssue, systemNotes, type IssueBody } from '../support/issue-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

interface Place {
  project: MadeProject;
  issue: IssueBody;
  /** Path of the issue. */
  path: string;
}

/** A public project of the owner with an issue of theirs. */
async function place(more: Record<string, unknown> = {}): Promise<Place> {
  const { namespaceId } = owner.user;
  const project = await makeProject(app, { namespaceId, visibility: 'public' });
  const issue = await createIssue(owner.api, project, more);
  return { project, issue, path: `/projects/${project.id}/issues/${issue.iid}` };
}

interface Commands {
  commands_changes: Record<string, unknown>;
  summary: string[];
}

/** Sends a comment of commands only. */
async function command(
  { api: client }: MadeActor,
  { path }: Place,
  body: string,
): Promise<Commands> {
  const response = await client.post(`${path}/notes`, { body });
  expect([response.status, response.body]).toEqual([202, expect.anything()]);
  return response.body as Commands;
}

async function shown({ path }: Place): Promise<IssueBody> {
  return (await owner.api.get(path).expect(200)).body as IssueBody;
}

/** Comments beneath the issue, without what the server noted. */
async function comments({ path }: Place): Promise<string[]> {
  const response = await owner.api.get(`${path}/notes?activity_filter=only_comments`);
  return (response.body as { body: string }[]).map(({ body }) => body);
}

async function eventsOf({ project }: Place): Promise<string[]> {
  const response = await owner.api.get(`/projects/${project.id}/events?sort=asc`).expect(200);
  return (response.body as { action_name: string }[]).map((event) => event.action_name);
}

describe('a comment of nothing but commands', () => {
  it('closes the issue: an event, but no note and no event of a comment', async () => {
    const here = await place();
    expect(await command(owner, here, '/close')).toEqual({
      commands_changes: { state_event: 'close' },
      summary: ['Closed this issue.'],
    });
    expect((await shown(here))['state']).toBe('closed');
    expect(await comments(here)).toEqual([]);
    const actions = await eventsOf(here);
    expect(actions.filter((name) => name === 'closed')).toHaveLength(1);
    expect(actions).not.toContain('commented on');
  });

  it('does not close what is closed, and opens it again', async () => {
    const here = await place();
    await command(owner, here, '/close');
    expect(await command(owner, here, '/close')).toEqual({
      commands_changes: {},
      summary: ['Could not apply close command.'],
    });
    expect((await eventsOf(here)).filter((name) => name === 'closed')).toHaveLength(1);
    const { summary } = await command(owner, here, '/reopen');
    expect(summary).toEqual(['Reopened this issue.']);
    expect((await shown(here))['state']).toBe('opened');
  });

  it('does all that its lines say, in their order', async () => {
    const here = await place({ title: 'Roof', labels: 'old' });
    await owner.api.put(here.path, { discussion_locked: true }).expect(200);
    const developer = await makeMemberOf(app, here.project, 'developer');
    const milestones = `/projects/${here.project.id}/milestones`;
    const { body: milestone } = await owner.api.post(milestones, { title: 'Version 1' });
    const { username } = developer.user;
    const lines = [
      '/label ~bug ~"two words" ~bug',
      '/unlabel ~old ~none',
      `/assign me @${username.toUpperCase()}`,
      '/unassign me',
      '/due 2027-02-03',
      '/milestone %"Version 1"',
      '/unlock',
      '/confidential',
      '/title New roof',
    ];
    const { summary, commands_changes: changes } = await command(owner, here, lines.join('\n'));
    expect(summary).toEqual([
      'Added ~bug ~"two words" labels.',
      'Removed ~old label.',
      `Assigned @${owner.user.username} and @${username}.`,
      `Removed assignee @${owner.user.username}.`,
      'Set the due date to Feb 3, 2027.',
      'Set the milestone to %"Version 1".',
      'Unlocked the discussion.',
      'Made this issue confidential.',
      'Changed the title to "New roof".',
    ]);
    expect(changes).toEqual({
      labels: ['bug', 'two words'],
      assignee_ids: [developer.user.id],
      due_date: '2027-02-03',
      milestone_id: (milestone as { id: number }).id,
      discussion_locked: false,
      confidential: true,
      title: 'New roof',
    });
    expect(await shown(here)).toMatchObject({
      title: 'New roof',
      labels: ['bug', 'two words'],
      assignees: [{ username }],
      milestone: { title: 'Version 1' },
      due_date: '2027-02-03',
      discussion_locked: false,
      confidential: true,
    });
    const undone = '/unassign\n/unlabel\n/remove_due_date\n/remove_milestone\n/lock';
    expect((await command(owner, here, undone)).summary).toEqual([
      `Removed assignee @${username}.`,
      'Removed ~bug ~"two words" labels.',
      'Removed the due date.',
      'Removed the milestone.',
      'Locked the discussion.',
    ]);
    expect(await shown(here)).toMatchObject({ labels: [], assignees: [], milestone: null });
    expect(await systemNotes(app, here.issue.id)).toContain(
      'changed title from **Roof** to **New roof**',
    );
  });

  it('leaves what makes no sense, and says so', async () => {
    const here = await place({ labels: 'a' });
    const long = 'x'.repeat(256);
    const lines = [
      '/label ~a',
      `/label ~${long}`,
      `/title ${long}`,
      '/title',
      '/due tomorrow',
      '/due 2027-02-30',
      '/due 0000-01-01',
      '/remove_due_date',
      '/milestone %none',
      '/remove_milestone',
      `/assign @${unique('nobody')}`,
      '/unassign',
      '/unlock',
      '/reopen',
    ];
    const names = lines.map((line) => line.split(' ')[0]?.slice(1));
    expect(await command(owner, here, lines.join('\n'))).toEqual({
      commands_changes: {},
      summary: names.map((name) => `Could not apply ${name} command.`),
    });
    expect(await systemNotes(app, here.issue.id)).toEqual([]);
  });

  it('assigns no one who cannot read the issue', async () => {
    const here = await place();
    const { user } = await makeActor(app);
    const { summary } = await command(owner, here, `/confidential\n/assign @${user.username}`);
    expect(summary).toEqual(['Made this issue confidential.', 'Could not apply assign command.']);
    expect((await shown(here)).assignees).toEqual([]);
  });
});

describe('a comment with commands', () => {
  it('is the rest of its text, and does what they say', async () => {
    const here = await place();
    const body = 'Done\n\n```\n/reopen\n```\n/close\n';
    const response = await owner.api.post(`${here.path}/notes`, { body });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      body: 'Done\n\n```\n/reopen\n```',
      commands_changes: { state_event: 'close' },
    });
    expect((await shown(here))['state']).toBe('closed');
    expect(await eventsOf(here)).toEqual(expect.arrayContaining(['closed', 'commented on']));
  });

  it('changes nothing when the rest is refused', async () => {
    const here = await place();
    const body = `${'x'.repeat(1_000_001)}\n/close`;
    expect((await owner.api.post(`${here.path}/notes`, { body })).status).toBe(400);
    expect((await shown(here))['state']).toBe('opened');
  });

  it('runs no commands when it is changed later', async () => {
    const here = await place();
    const { body } = await owner.api.post(`${here.path}/notes`, { body: 'Done' });
    const path = `${here.path}/notes/${(body as { id: number }).id}`;
    const changed = await owner.api.put(path, { body: 'Done\n/close' }).expect(200);
    expect(changed.body).toMatchObject({ body: 'Done\n/close', commands_changes: {} });
    expect((await shown(here))['state']).toBe('opened');
  });

  it('keeps commands that are unknown, or for merge requests only, as text', async () => {
    const here = await place();
    const body = '/tmp/close\n/merge\n/draft\n/ready';
    await owner.api.post(`${here.path}/notes`, { body }).expect(201);
    expect(await comments(here)).toEqual([body]);
  });
});

describe('who commands', () => {
  it('changes nothing of the issues of others without a role', async () => {
    const here = await place({ labels: 'a' });
    const stranger = await makeActor(app);
    const body = '/close\n/title Mine\n/label ~b\n/assign me\n/confidential\n/lock\n/unlabel';
    const { commands_changes: changes, summary } = await command(stranger, here, body);
    expect(changes).toEqual({});
    expect(summary).toEqual(
      ['close', 'title', 'label', 'assign', 'confidential', 'lock', 'unlabel'].map(
        (name) => `Could not apply ${name} command.`,
      ),
    );
    expect(await shown(here)).toMatchObject({ state: 'opened', labels: ['a'], assignees: [] });
  });

  it('changes texts and state as the author, and the rest with a role', async () => {
    const here = await place();
    const author = await makeActor(app);
    const issue = await createIssue(author.api, here.project);
    const theirs = { ...here, issue, path: `/projects/${here.project.id}/issues/${issue.iid}` };
    const { summary } = await command(author, theirs, '/title Mine\n/close\n/label ~b');
    expect(summary).toEqual([
      'Changed the title to "Mine".',
      'Closed this issue.',
      'Could not apply label command.',
    ]);
    const reporter = await makeMemberOf(app, here.project, 'reporter');
    const more = await command(reporter, theirs, '/reopen\n/label ~b');
    expect(more.summary).toEqual(['Reopened this issue.', 'Added ~b label.']);
  });

  it('changes the subscription of any author', async () => {
    const here = await place();
    const author = await makeActor(app);
    const unsubscribed = await command(author, here, '/subscribe\n/unsubscribe');
    expect(unsubscribed).toEqual({
      commands_changes: { subscription_event: 'unsubscribe' },
      summary: ['Subscribed to this issue.', 'Unsubscribed from this issue.'],
    });
    await command(author, here, '/subscribe');
    expect((await author.api.get(here.path)).body).toMatchObject({ subscribed: true });
    const path = `${here.path}/notes`;
    await author.api.post(path, { body: 'No more.\n\n/unsubscribe' }).expect(201);
    expect((await author.api.get(here.path)).body).toMatchObject({ subscribed: false });
    expect((await shown(here))['subscribed']).toBe(true);
  });

  it('must be able to comment', async () => {
    const here = await place();
    await owner.api.put(here.path, { discussion_locked: true }).expect(200);
    const author = await makeActor(app);
    const path = `${here.path}/notes`;
    expect((await author.api.post(path, { body: '/close' })).status).toBe(403);
    expect((await api(app.url).post(path, { body: '/close' })).status).toBe(401);
  });

  it('gives no title that is spam', async () => {
    const here = await place();
    const author = await makeActor(app);
    const { iid } = await createIssue(author.api, here.project, { title: 'Roof' });
    const path = `/projects/${here.project.id}/issues/${iid}`;
    const links = Array.from({ length: 12 }, (_, at) => `http://s${at}.example`).join(' ');
    const body = `Hello\n/title ${links}\n/title ${'x'.repeat(256)}`;
    const response = await author.api.post(`${path}/notes`, { body });
    expect(response.status).toBe(400);
    expect((await author.api.get(path)).body).toMatchObject({ title: 'Roof', user_notes_count: 0 });
  });
});
