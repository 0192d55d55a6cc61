import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeUser, type MadeActor } from '../support/factories.js';
import { createIssue, systemNotes, type IssueBody } from '../support/issue-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});

function project(visibility: 'public' | 'internal' | 'private' = 'private'): Promise<MadeProject> {
  return makeProject(app, { namespaceId: owner.user.namespaceId, visibility });
}

/** Updates the issue by PUT; expects 200. */
async function change(client: MadeActor['api'], issue: string, body: object): Promise<IssueBody> {
  const response = await client.put(issue, body);
  expect([response.status, response.body]).toEqual([200, expect.anything()]);
  return response.body as IssueBody;
}

async function fresh(body: Record<string, unknown> = {}, place?: MadeProject) {
  const home = place ?? (await project());
  const issue = await createIssue(owner.api, home, body);
  return { home, issue, path: `/projects/${home.id}/issues/${issue.iid}` };
}

const idsOf = ({ assignees }: IssueBody): number[] => assignees.map(({ id }) => id);

describe('POST /projects/:id/issues', () => {
  it('takes labels, people, a day and a type from members', async () => {
    const place = await project();
    const [developer, guest] = [
      await makeMemberOf(app, place, 'developer'),
      await makeMemberOf(app, place, 'guest'),
    ];
    const issue = await createIssue(owner.api, place, {
      labels: ' urgent, bug ,,bug',
      assignee_ids: [guest.user.id, developer.user.id, developer.user.id],
      due_date: '2026-03-01',
      issue_type: 'incident',
      description: '- [ ] a\n- [x] b',
    });

    expect(issue).toMatchObject({
      labels: ['bug', 'urgent'],
      assignees: [{ id: developer.user.id }, { id: guest.user.id }],
      assignee: { id: developer.user.id, username: developer.user.username },
      due_date: '2026-03-01',
      type: 'INCIDENT',
      issue_type: 'incident',
      severity: 'UNKNOWN',
      task_completion_status: { count: 2, completed_count: 1 },
      has_tasks: true,
    });
    expect(await systemNotes(app, issue.id)).toEqual([]);
  });

  it('takes the older form of one assignee, and labels as a list', async () => {
    const place = await project();
    const issue = await createIssue(owner.api, place, {
      labels: ['b', 'a,c'],
      assignee_id: owner.user.id,
    });

    expect(issue).toMatchObject({ labels: ['a', 'b', 'c'], assignee: { id: owner.user.id } });
    expect((await createIssue(owner.api, place, { assignee_id: 0 })).assignees).toEqual([]);
  });

  it('drops what strangers plan, and incidents of people below Reporter', async () => {
    const place = await project('public');
    const planned = {
      labels: 'bug',
      assignee_ids: [owner.user.id],
      due_date: '2026-03-01',
      issue_type: 'incident',
      created_at: '2020-01-01T00:00:00Z',
      iid: 77,
    };
    const stranger = await makeActor(app);
    const guest = await makeMemberOf(app, place, 'guest');

    expect(await createIssue(stranger.api, place, planned)).toMatchObject({
      iid: 1,
      labels: [],
      assignees: [],
      due_date: null,
      issue_type: 'issue',
      created_at: expect.not.stringMatching(/^2020/),
    });
    expect(await createIssue(guest.api, place, planned)).toMatchObject({
      iid: 2,
      // Guests use labels that exist.
      labels: [],
      assignees: [{ id: owner.user.id }],
      due_date: '2026-03-01',
      issue_type: 'issue',
      created_at: expect.not.stringMatching(/^2020/),
    });
    const reporter = await makeMemberOf(app, place, 'reporter');
    expect(await createIssue(reporter.api, place, planned)).toMatchObject({
      iid: 3,
      issue_type: 'incident',
    });
  });

  it('lets Owners and administrators choose number and date, and counts on from there', async () => {
    const place = await project();
    const created_at = '2020-01-01T00:00:00.000Z';
    const path = `/projects/${place.id}/issues`;

    expect(await createIssue(owner.api, place, { iid: 7, created_at })).toMatchObject({
      iid: 7,
      created_at,
    });
    const admin = await makeAdmin(app);
    expect(await createIssue(admin.api, place, { iid: 3 })).toMatchObject({ iid: 3 });
    expect(await createIssue(owner.api, place)).toMatchObject({ iid: 8 });
    const taken = await owner.api.post(path, { title: 'x', iid: 7 });
    expect([taken.status, taken.body]).toEqual([409, { message: 'Duplicated issue' }]);
    expect(await createIssue(owner.api, place)).toMatchObject({ iid: 9 });
  });

  it('gives a chosen number to one of those who want it at once', async () => {
    const place = await project();
    const path = `/projects/${place.id}/issues`;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.api.post(path, { title: 'x', iid: 5 })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  });

  it.each<[object, object]>([
    [{ labels: 'x'.repeat(256) }, { message: { labels: [tooLong(255)] } }],
    [
      { labels: Array.from({ length: 60 }, (_, n) => `a${n},b${n}`) },
      { message: { labels: ['are too many (maximum is 100)'] } },
    ],
    [{ due_date: '2026-02-30' }, { error: 'due_date is invalid' }],
    [{ due_date: '01.03.2026' }, { error: 'due_date is invalid' }],
    [{ issue_type: 'task' }, { error: 'issue_type does not have a valid value' }],
    [{ assignee_ids: ['x'] }, { error: 'assignee_ids is invalid' }],
    [{ iid: 0 }, { error: 'iid has a value not allowed' }],
    [{ iid: 2_147_483_648 }, { error: 'iid has a value not allowed' }],
    [{ created_at: 'yesterday' }, { error: 'created_at is invalid' }],
    [{ labels: ['a\0b'] }, { message: '400 Bad request - NUL is not allowed' }],
  ])('refuses %j', async (body, expected) => {
    const { id } = await project();
    const response = await owner.api.post(`/projects/${id}/issues`, { title: 'x', ...body });

    expect([response.status, response.body]).toEqual([400, expect.objectContaining(expected)]);
  });
});

function tooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`;
}

describe('assignees', () => {
  it('keep seeing an issue that becomes confidential, as long as they are', async () => {
    const place = await project('public');
    const [guest, other] = [
      await makeMemberOf(app, place, 'guest'),
      await makeMemberOf(app, place, 'guest'),
    ];
    const { iid } = await createIssue(owner.api, place, { assignee_ids: [guest.user.id] });
    const path = `/projects/${place.id}/issues/${iid}`;
    await change(owner.api, path, { confidential: true });
    await guest.api.get(path).expect(200);
    await other.api.get(path).expect(404);
    expect((await guest.api.get(`/projects/${place.id}/issues`)).body).toHaveLength(1);
    await change(owner.api, path, { assignee_ids: [] });
    await guest.api.get(path).expect(404);
  });

  it('are only people who can read the issue', async () => {
    const place = await project();
    const [guest, reporter] = [
      await makeMemberOf(app, place, 'guest'),
      await makeMemberOf(app, place, 'reporter'),
    ];
    const [stranger, admin] = [await makeActor(app), await makeAdmin(app)];
    const everybody = [guest, reporter, stranger, admin].map(({ user }) => user.id);
    const assignee_ids = [...everybody, 999_999_999, -1];

    const open = await createIssue(owner.api, place, { assignee_ids });
    expect(idsOf(open)).toEqual([guest.user.id, reporter.user.id, admin.user.id]);
    const hidden = await createIssue(owner.api, place, { assignee_ids, confidential: true });
    expect(idsOf(hidden)).toEqual([reporter.user.id, admin.user.id]);
  });

  it('can be any active user who sees an open project', async () => {
    const [stranger, external] = [await makeUser(app), await makeUser(app, { external: true })];
    const blocked = await makeUser(app, { state: 'blocked' });
    const assignee_ids = [stranger.id, external.id, blocked.id];

    const inPublic = await createIssue(owner.api, await project('public'), { assignee_ids });
    expect(idsOf(inPublic)).toEqual([stranger.id, external.id]);
    const inInternal = await createIssue(owner.api, await project('internal'), { assignee_ids });
    expect(idsOf(inInternal)).toEqual([stranger.id]);
  });

  it('change with a note, and go with an empty list', async () => {
    const { home, issue, path } = await fresh();
    const [a, b] = [await makeMemberOf(app, home, 'guest'), await makeMemberOf(app, home, 'guest')];

    const ids = [a.user.id, b.user.id];
    expect(idsOf(await change(owner.api, path, { assignee_ids: ids }))).toEqual(ids);
    expect(idsOf(await change(owner.api, path, { assignee_ids: ids }))).toEqual(ids);
    expect(idsOf(await change(owner.api, path, { assignee_id: b.user.id }))).toEqual([b.user.id]);
    expect(idsOf(await change(owner.api, path, { assignee_ids: '' }))).toEqual([]);
    expect(idsOf(await change(owner.api, path, { title: issue.title }))).toEqual([]);
    expect(await systemNotes(app, issue.id)).toEqual([
      `assigned to @${a.user.username} and @${b.user.username}`,
      `unassigned @${a.user.username}`,
      `unassigned @${b.user.username}`,
    ]);
  });

  it('go when their account goes', async () => {
    const { home, path } = await fresh();
    const guest = await makeMemberOf(app, home, 'guest');
    await change(owner.api, path, { assignee_ids: [guest.user.id] });
    await (await makeAdmin(app)).api.delete(`/users/${guest.user.id}`).expect(204);

    expect((await owner.api.get(path)).body).toMatchObject({ assignees: [], assignee: null });
  });
});

describe('PUT /projects/:id/issues/:issue_iid', () => {
  it('changes labels as a whole and one by one', async () => {
    const { issue, path } = await fresh({ labels: 'a,b' });

    expect((await change(owner.api, path, { add_labels: 'c,a' })).labels).toEqual(['a', 'b', 'c']);
    const swapped = await change(owner.api, path, { add_labels: ['d e'], remove_labels: 'a,zz' });
    expect(swapped.labels).toEqual(['b', 'c', 'd e']);
    expect((await change(owner.api, path, { labels: 'x' })).labels).toEqual(['x']);
    expect((await change(owner.api, path, { labels: '' })).labels).toEqual([]);
    expect(await systemNotes(app, issue.id)).toEqual([
      'added ~c label',
      'added ~"d e" label and removed ~a label',
      'added ~x label and removed ~b ~c ~"d e" labels',
      'removed ~x label',
    ]);
  });

  it('refuses more labels than an issue may bear', async () => {
    const { path } = await fresh({ labels: Array.from({ length: 100 }, (_, n) => `l${n}`) });
    const response = await owner.api.put(path, { add_labels: 'one-more' });

    expect([response.status, response.body]).toEqual([
      400,
      { message: { labels: ['are too many (maximum is 100)'] } },
    ]);
  });

  it('keeps labels that two people add at the same time', async () => {
    const { path } = await fresh();
    const names = Array.from({ length: 10 }, (_, n) => `l${n}`);
    await Promise.all(names.map((name) => change(owner.api, path, { add_labels: name })));

    expect((await owner.api.get(path)).body).toMatchObject({ labels: names });
  });

  it('notes each change in words', async () => {
    const { issue, path } = await fresh({ title: 'Old *one*' });
    await change(owner.api, path, {
      title: 'New',
      description: 'Text',
      due_date: '2026-03-01',
      discussion_locked: true,
      confidential: true,
      issue_type: 'incident',
    });
    const last = await change(owner.api, path, {
      due_date: '',
      discussion_locked: false,
      confidential: false,
      issue_type: 'issue',
    });

    expect(last).toMatchObject({
      title: 'New',
      description: 'Text',
      due_date: null,
      discussion_locked: false,
      confidential: false,
      type: 'ISSUE',
      user_notes_count: 0,
    });
    expect(await systemNotes(app, issue.id)).toEqual([
      'changed title from **Old \\*one\\*** to **New**',
      'changed the description',
      'changed type from issue to incident',
      'changed due date to March 1, 2026',
      'made the issue confidential',
      'locked the discussion in this issue',
      'changed type from incident to issue',
      'removed due date March 1, 2026',
      'made the issue visible to everyone',
      'unlocked the discussion in this issue',
    ]);
  });

  it('changes nothing, not even the date, when everything is so already', async () => {
    const { issue, path } = await fresh({ labels: 'a', due_date: '2026-03-01' });
    const { updated_at } = await change(owner.api, path, {
      title: issue.title,
      labels: 'a',
      due_date: '2026-03-01',
      confidential: false,
      discussion_locked: false,
      assignee_ids: [],
      state_event: 'reopen',
    });

    expect(updated_at).toBe(issue.updated_at);
    expect(await systemNotes(app, issue.id)).toEqual([]);
  });

  it('drops what authors without a role plan, and takes their texts', async () => {
    const place = await project('public');
    const author = await makeActor(app);
    const { iid } = await createIssue(author.api, place);
    const path = `/projects/${place.id}/issues/${iid}`;
    const changed = await change(author.api, path, {
      title: 'Mine',
      labels: 'a',
      assignee_ids: [author.user.id],
      due_date: '2026-03-01',
      issue_type: 'incident',
      discussion_locked: true,
    });

    expect(changed).toMatchObject({
      title: 'Mine',
      labels: [],
      assignees: [],
      due_date: null,
      issue_type: 'issue',
      discussion_locked: false,
    });
  });

  it('is not for assignees without a role', async () => {
    const { home, path } = await fresh();
    const guest = await makeMemberOf(app, home, 'guest');
    await change(owner.api, path, { assignee_ids: [guest.user.id] });

    expect((await guest.api.put(path, { title: 'x' })).status).toBe(403);
  });

  it.each<[object, string]>([
    [{ due_date: 'soon' }, 'due_date is invalid'],
    [{ issue_type: 'x' }, 'issue_type does not have a valid value'],
    [{ discussion_locked: 'x' }, 'discussion_locked is invalid'],
    [{ labels: { a: 1 } }, 'labels is invalid'],
    [{ assignee_ids: 'x' }, 'assignee_ids is invalid'],
  ])('refuses %j', async (body, error) => {
    const { path } = await fresh();
    const response = await owner.api.put(path, body);

    expect([response.status, response.body]).toEqual([400, expect.objectContaining({ error })]);
  });
});
