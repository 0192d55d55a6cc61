import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import {
  commitOn,
  mergeRequestEvents,
  mergeRequestNotes,
  moveBranches,
  openMergeRequest,
  tipOf,
} from '../support/merge-request-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

const CREATED = 1;
const CLOSED = 3;
const REOPENED = 4;

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

interface Place {
  project: MadeProject;
  id: number;
  /** Path of the merge request. */
  path: string;
}

/** A public project of the owner with a merge request of theirs. */
async function place(title = 'Add b'): Promise<Place> {
  const { namespaceId } = owner.user;
  const files = { 'a.txt': 'one\n' };
  const project = await makeProject(app, { namespaceId, visibility: 'public', files });
  await commitOn(app, project, {
    branch: 'feature',
    from: 'main',
    user: owner.user,
    files: { 'b.txt': 'two\n' },
  });
  const { id, iid } = await openMergeRequest(owner.api, project, {
    source_branch: 'feature',
    title,
  });
  return { project, id, path: `/projects/${project.id}/merge_requests/${iid}` };
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

async function shown({ path }: Place): Promise<Record<string, unknown>> {
  return (await owner.api.get(path).expect(200)).body as Record<string, unknown>;
}

async function actionsOf({ id }: Place): Promise<number[]> {
  return (await mergeRequestEvents(app, id)).map(({ action }) => action);
}

describe('commands in comments on merge requests', () => {
  it('close and open again, with one event each and no note', async () => {
    const here = await place();
    expect(await command(owner, here, '/close')).toEqual({
      commands_changes: { state_event: 'close' },
      summary: ['Closed this merge request.'],
    });
    expect(await shown(here)).toMatchObject({ state: 'closed', user_notes_count: 0 });
    expect((await command(owner, here, '/close')).summary).toEqual([
      'Could not apply close command.',
    ]);
    const { summary } = await command(owner, here, '/reopen');
    expect(summary).toEqual(['Reopened this merge request.']);
    expect(await shown(here)).toMatchObject({ state: 'opened', user_notes_count: 0 });
    expect(await actionsOf(here)).toEqual([CREATED, CLOSED, REOPENED]);
    expect(await mergeRequestNotes(app, here.id)).toEqual(['closed', 'reopened']);
  });

  it('plan the work', async () => {
    const here = await place();
    await owner.api.post(`/projects/${here.project.id}/milestones`, { title: 'v1' }).expect(201);
    const lines = ['/draft', '/label ~x', '/assign me', '/milestone %v1', '/lock'];
    const { summary } = await command(owner, here, lines.join('\n'));
    expect(summary).toEqual([
      'Marked this merge request as a draft.',
      'Added ~x label.',
      `Assigned @${owner.user.username}.`,
      'Set the milestone to %v1.',
      'Locked the discussion.',
    ]);
    expect(await shown(here)).toMatchObject({
      title: 'Draft: Add b',
      draft: true,
      labels: ['x'],
      assignees: [{ id: owner.user.id }],
      milestone: { title: 'v1' },
      discussion_locked: true,
    });
    const undone =
      '/ready\n/ready\n/unlabel ~x\n/unassign\n/remove_milestone\n/unlock\n/unsubscribe';
    expect((await command(owner, here, undone)).summary).toEqual([
      'Marked this merge request as ready.',
      'Could not apply ready command.',
      'Removed ~x label.',
      `Removed assignee @${owner.user.username}.`,
      'Removed the milestone.',
      'Unlocked the discussion.',
      'Unsubscribed from this merge request.',
    ]);
    expect(await shown(here)).toMatchObject({
      title: 'Add b',
      draft: false,
      labels: [],
      subscribed: false,
    });
  });

  it('leave a note of the rest, and text that is no command', async () => {
    const here = await place();
    const body = 'Not now\n/merge\n/confidential\n/due 2027-01-01\n/close';
    const response = await owner.api.post(`${here.path}/notes`, { body });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      body: 'Not now\n/merge\n/confidential\n/due 2027-01-01',
      commands_changes: { state_event: 'close' },
    });
    expect(await shown(here)).toMatchObject({ state: 'closed', user_notes_count: 1 });
  });

  it('open again only what can be opened', async () => {
    const here = await place();
    await command(owner, here, '/close');
    await openMergeRequest(owner.api, here.project, { source_branch: 'feature' });
    const refused = ['Could not apply reopen command.'];
    expect((await command(owner, here, '/reopen')).summary).toEqual(refused);
    const other = await place();
    await command(owner, other, '/close');
    await moveBranches(app, other.project, { user: owner.user, branches: { feature: null } });
    const body = 'Again?\n/reopen\n/title Again';
    expect((await owner.api.post(`${other.path}/notes`, { body })).body).toMatchObject({
      body: 'Again?',
      commands_changes: { title: 'Again' },
    });
    expect(await shown(other)).toMatchObject({ state: 'closed', title: 'Again' });
  });

  it('see where the branch has gone when they open again', async () => {
    const here = await place();
    await command(owner, here, '/close');
    const { user } = owner;
    await commitOn(app, here.project, { branch: 'feature', user, files: { 'c.txt': 'three\n' } });
    await command(owner, here, '/reopen');
    expect((await shown(here))['sha']).toBe(await tipOf(app, here.project, 'feature'));
  });

  it('do nothing of what their author may not do', async () => {
    const here = await place();
    const body = '/close\n/draft\n/label ~x\n/assign me\n/lock';
    const stranger = await makeActor(app);
    const names = ['close', 'draft', 'label', 'assign', 'lock'];
    expect(await command(stranger, here, body)).toEqual({
      commands_changes: {},
      summary: names.map((name) => `Could not apply ${name} command.`),
    });
    expect(await shown(here)).toMatchObject({ state: 'opened', title: 'Add b', labels: [] });
    const developer = await makeMemberOf(app, here.project, 'developer');
    expect((await command(developer, here, '/close')).summary).toEqual([
      'Closed this merge request.',
    ]);
  });

  it('are text when a comment is changed', async () => {
    const here = await place();
    const { body } = await owner.api.post(`${here.path}/notes`, { body: 'One' }).expect(201);
    const path = `${here.path}/notes/${(body as { id: number }).id}`;
    const changed = await owner.api.put(path, { body: '/close' }).expect(200);
    expect(changed.body).toMatchObject({ body: '/close', commands_changes: {} });
    expect((await shown(here))['state']).toBe('opened');
  });
});
