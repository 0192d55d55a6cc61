import { beforeAll, describe, expect, it } from '@jest/globals';
import { Activity } from '../../src/core/activity/activity.service.js';
import {
  Notification,
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
  type NotificationDetails,
  type NotificationKind,
} from '../../src/core/activity/notifications.repository.js';
import { openIncidents } from '../../src/workspace/issues/sql/incidents.js';
import { IssueStates } from '../../src/workspace/issues/issue-states.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { createIssue, type IssueBody } from '../support/issue-factories.js';
import { createMilestone } from '../support/milestone-factories.js';
import {
  makeMemberOf,
  makeOwnedGroup,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
let member: MadeActor;
let place: MadeProject;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  place = await makeProject(app, { namespaceId: owner.user.namespaceId, visibility: 'public' });
  member = await makeMemberOf(app, place, 'developer');
});

interface Told {
  kind: number;
  actorId: number | null;
  noteId: number | null;
  details: NotificationDetails;
}

function told(
  kind: NotificationKind,
  details: NotificationDetails = {},
  noteId: number | null = null,
): Told {
  return { kind: NOTIFICATION_KINDS[kind], actorId: owner.user.id, noteId, details };
}

/** The notifications about an issue, oldest first. */
async function notificationsOf({ id }: { id: number }): Promise<Told[]> {
  const rows = await app.dataSource.getRepository(Notification).find({
    where: { projectId: place.id, targetType: NOTIFICATION_TARGETS.issue, targetId: id },
    order: { id: 'ASC' },
  });
  return rows.map(({ kind, actorId, noteId, details }) => ({ kind, actorId, noteId, details }));
}

function change({ iid }: IssueBody, body: Record<string, unknown>): Promise<unknown> {
  return owner.api.put(`/projects/${place.id}/issues/${iid}`, body).expect(200);
}

function named(people: Partial<NonNullable<NotificationDetails['named']>>): NotificationDetails {
  return { named: { userIds: [], namespaceIds: [], all: false, ...people } };
}

describe('notifications of an issue', () => {
  it('is its opening, closing and reopening, each once', async () => {
    const issue = await createIssue(owner.api, place);
    for (const event of ['close', 'close', 'reopen', 'reopen']) {
      await change(issue, { state_event: event });
    }
    const kinds = ['new_issue', 'close_issue', 'reopen_issue'] as const;
    expect(await notificationsOf(issue)).toEqual(kinds.map((kind) => told(kind)));
  });

  it('is who was assigned and who is no longer', async () => {
    const issue = await createIssue(owner.api, place, { assignee_ids: [member.user.id] });
    await change(issue, { assignee_ids: [owner.user.id] });
    await change(issue, { assignee_ids: [owner.user.id] });
    await change(issue, { assignee_ids: [] });
    expect(await notificationsOf(issue)).toEqual([
      told('new_issue'),
      told('reassign_issue', { added: [owner.user.id], removed: [member.user.id] }),
      told('reassign_issue', { added: [], removed: [owner.user.id] }),
    ]);
  });

  it('is another milestone, and none', async () => {
    const { id } = await createMilestone(owner.api, place);
    const issue = await createIssue(owner.api, place);
    for (const milestone of [id, id, 0]) await change(issue, { milestone_id: milestone });
    const notification = told('change_milestone_issue');
    expect(await notificationsOf(issue)).toEqual([told('new_issue'), notification, notification]);
  });

  it('is a comment by its id, but not its later text', async () => {
    const issue = await createIssue(owner.api, place);
    const path = `/projects/${place.id}/issues/${issue.iid}/notes`;
    const { body } = await owner.api.post(path, { body: 'Well.' }).expect(201);
    const { id } = body as { id: number };
    await owner.api.put(`${path}/${id}`, { body: `@${member.user.username}` }).expect(200);
    expect(await notificationsOf(issue)).toEqual([told('new_issue'), told('new_note', {}, id)]);
  });

  it('is what the commands of a comment do', async () => {
    const issue = await createIssue(owner.api, place);
    const path = `/projects/${place.id}/issues/${issue.iid}/notes`;
    const body = `/assign @${member.user.username}\n/close`;
    await owner.api.post(path, { body }).expect(202);
    expect(await notificationsOf(issue)).toEqual([
      told('new_issue'),
      told('reassign_issue', { added: [member.user.id], removed: [] }),
      told('close_issue'),
    ]);
  });

  it('is labels that are added, for those who subscribed to them', async () => {
    const issue = await createIssue(owner.api, place, { labels: 'a' });
    await change(issue, { labels: 'a,b,c' });
    await change(issue, { remove_labels: 'a,b' });
    expect(await notificationsOf(issue)).toEqual([
      told('new_issue'),
      told('relabel_issue', { labels: ['b', 'c'] }),
    ]);
  });

  it('does not cover dates, locks and texts without new mentions', async () => {
    const issue = await createIssue(owner.api, place, {
      description: `@${member.user.username}`,
    });
    await change(issue, {
      title: unique('Title '),
      description: `Ask @${member.user.username.toUpperCase()} and @nobody-${unique('x')}.`,
      due_date: '2027-01-01',
      discussion_locked: true,
    });
    expect(await notificationsOf(issue)).toEqual([told('new_issue')]);
  });

  it('covers new mentions in another title or description', async () => {
    const group = await makeOwnedGroup(app, owner, { visibility: 'public' });
    const issue = await createIssue(owner.api, place, { description: '@all' });
    await change(issue, { title: `Ask @${member.user.username}` });
    await change(issue, { description: `@all of @${group.fullPath}, \`@${owner.user.username}\`` });
    await change(issue, { description: 'Nobody.' });
    await change(issue, { description: '@all' });
    expect(await notificationsOf(issue)).toEqual([
      told('new_issue'),
      told('mention_in_issue', named({ userIds: [member.user.id] })),
      told('mention_in_issue', named({ namespaceIds: [group.id] })),
      told('mention_in_issue', named({ all: true })),
    ]);
  });

  it('comes with incidents that the server opens', async () => {
    const incident = {
      projectId: place.id,
      authorId: owner.user.id,
      title: unique('Fire '),
      description: `@${member.user.username}`,
      severity: 'high',
      confidential: false,
    } as const;
    const activity = app.app.get(Activity, { strict: false });
    const [opened] = await app.dataSource.transaction((tx) =>
      openIncidents(tx, [incident], activity),
    );
    expect(opened === undefined ? [] : await notificationsOf(opened)).toEqual([told('new_issue')]);
  });
});

describe('a change that fails', () => {
  it('notifies and mentions no one', async () => {
    const issue = await createIssue(owner.api, place);
    app.app.get(IssueStates, { strict: false }).onClosed((_tx, { issueIds }) => {
      if (issueIds.includes(issue.id)) throw new Error('not this one');
      return Promise.resolve();
    });
    const body = {
      description: `@${member.user.username}`,
      assignee_ids: [member.user.id],
      state_event: 'close',
    };
    await owner.api.put(`/projects/${place.id}/issues/${issue.iid}`, body).expect(500);
    expect(await notificationsOf(issue)).toEqual([told('new_issue')]);
    const sql = 'SELECT count(*)::int AS count FROM mentions WHERE issue_id = $1';
    expect(await app.dataSource.query(sql, [issue.id])).toEqual([{ count: 0 }]);
  });
});
