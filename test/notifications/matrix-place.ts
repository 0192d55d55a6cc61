import { Pipeline } from '../../src/code/commit-statuses/commit-status.entity.js';
import { MergeRequestPerson } from '../../src/code/merge-requests/merge-request.entity.js';
import type {
  NewNotification,
  NotificationKind,
  NotificationTarget,
} from '../../src/core/activity/notifications.repository.js';
import { IssueAssignee } from '../../src/workspace/issues/issue.entity.js';
import { Mention } from '../../src/workspace/mentions/mentions.repository.js';
import { Note } from '../../src/workspace/notes/note.entity.js';
import type { TestApp } from '../support/app.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import {
  makeIssueRow,
  makeMergeRequestRow,
  makeSubscription,
} from '../support/recipient-factories.js';
import type { Relation } from '../support/notification-matrix.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';

export type Cast = Record<Relation, MadeUser>;

export interface MatrixPlace {
  project: MadeProject;
  /** Whose doing everything is. */
  actor: MadeUser;
}

const SHA = 'e'.repeat(40);

const RELATIONS: readonly Relation[] = [
  'uninvolved',
  'author',
  'assignee',
  'reviewer',
  'commenter',
  'mentioned',
  'mentioned before',
  'added',
  'removed',
  'subscriber',
  'unsubscribed author',
  'unsubscribed and mentioned',
  'runner',
  'keeper',
];

/** A private project of a group. */
export async function makeMatrixPlace(app: TestApp): Promise<MatrixPlace> {
  const group = await makeGroup(app);
  const project = await makeProject(app, { namespaceId: group.id });
  const actor = await makeUser(app);
  await makeMember(app, { project, user: actor, role: 'developer' });
  return { project, actor };
}

/** Someone for each relation, all of them members. */
export async function makeCast(app: TestApp, { project }: MatrixPlace): Promise<Cast> {
  const cast: Partial<Cast> = {};
  for (const relation of RELATIONS) {
    const user = await makeUser(app);
    const role = relation === 'keeper' ? 'maintainer' : 'developer';
    await makeMember(app, { project, user, role });
    cast[relation] = user;
  }
  return cast as Cast;
}

/** Something for the cast to be involved in, by the author's column `author`. */
interface Stage {
  app: TestApp;
  place: MatrixPlace;
  cast: Cast;
  author: MadeUser;
}

type ThreadColumns = Partial<Pick<Note, 'issueId' | 'mergeRequestId' | 'snippetId'>> &
  Partial<Pick<Note, 'commitProjectId' | 'commitSha'>>;

/** A notification of that kind about something new that everyone of the cast has to do with. */
export async function arrange(
  stage: Stage,
  kind: NotificationKind,
  type: NotificationTarget,
): Promise<NewNotification> {
  const { app, place, cast } = stage;
  const { project, actor } = place;
  const base = { kind, projectId: project.id, actorId: actor.id };
  if (type === 'project') return { ...base, target: { type, id: project.id } };
  if (type === 'pipeline') {
    const row = { projectId: project.id, ref: 'main', sha: SHA, userId: cast.runner.id };
    const { identifiers } = await app.dataSource.manager.insert(Pipeline, row);
    return { ...base, actorId: null, target: { type, id: (identifiers[0] as { id: number }).id } };
  }
  const id = await makeTarget(stage, type);
  const thread = columnsOf(stage, type, id);
  await makeHistory(stage, thread);
  const target = { type, id };
  const isNew = kind === 'new_issue' || kind === 'new_merge_request';
  if (isNew) await mention(stage, newMentioned(cast), thread);
  if (kind !== 'new_note') return { ...base, target, details: detailsOf(kind, cast) };
  const noteId = await writeNote(stage, thread, actor);
  await mention(stage, newMentioned(cast), { noteId });
  return { ...base, target, noteId };
}

function newMentioned(cast: Cast): MadeUser[] {
  return [cast.mentioned, cast['unsubscribed and mentioned']];
}

async function makeTarget(stage: Stage, type: NotificationTarget): Promise<number | null> {
  const { app, place, cast, author } = stage;
  const { manager } = app.dataSource;
  const { project } = place;
  if (type === 'issue') {
    const issueId = await makeIssueRow(app, { project, author });
    await manager.insert(IssueAssignee, { issueId, userId: cast.assignee.id });
    return issueId;
  }
  if (type === 'merge_request') {
    const mergeRequestId = await makeMergeRequestRow(app, { project, author });
    await manager.insert(MergeRequestPerson, [
      { mergeRequestId, userId: cast.assignee.id, role: 'assignee' },
      { mergeRequestId, userId: cast.reviewer.id, role: 'reviewer' },
    ]);
    return mergeRequestId;
  }
  if (type === 'commit') return null;
  const snippet = { authorId: author.id, projectId: project.id, visibility: 0, files: null };
  return (await makeSnippet(app, snippet)).id;
}

function columnsOf({ place }: Stage, type: NotificationTarget, id: number | null): ThreadColumns {
  if (type === 'commit') return { commitProjectId: place.project.id, commitSha: SHA };
  if (type === 'snippet') return { snippetId: id };
  return type === 'issue' ? { issueId: id } : { mergeRequestId: id };
}

/** Inserts the history: a comment, a mention in the text, and subscriptions to the thread. */
async function makeHistory(stage: Stage, thread: ThreadColumns): Promise<void> {
  const { app, cast } = stage;
  const noteId = await writeNote(stage, thread, cast.commenter);
  const isText = thread.issueId !== undefined || thread.mergeRequestId !== undefined;
  await mention(stage, [cast['mentioned before']], isText ? thread : { noteId });
  await app.dataSource.query('DELETE FROM subscriptions WHERE commit_project_id IS NOT NULL');
  await makeSubscription(app, cast.subscriber, thread);
  const declined = { ...thread, subscribed: false };
  await makeSubscription(app, cast['unsubscribed and mentioned'], declined);
  await makeSubscription(app, cast['unsubscribed author'], declined);
}

async function writeNote({ app }: Stage, thread: ThreadColumns, author: MadeUser): Promise<number> {
  const row = { ...thread, authorId: author.id, body: 'Well said' };
  const { identifiers } = await app.dataSource.manager.insert(Note, row);
  return (identifiers[0] as { id: number }).id;
}

async function mention(
  { app }: Stage,
  users: readonly MadeUser[],
  text: Partial<Pick<Mention, 'issueId' | 'mergeRequestId' | 'noteId'>>,
): Promise<void> {
  const { issueId = null, mergeRequestId = null, noteId = null } = text;
  const rows = users.map(({ id: userId }) => ({ issueId, mergeRequestId, noteId, userId }));
  await app.dataSource.manager.insert(Mention, rows);
}

function detailsOf(kind: NotificationKind, cast: Cast): NonNullable<NewNotification['details']> {
  if (kind.startsWith('mention_in_')) {
    const userIds = newMentioned(cast).map(({ id }) => id);
    return { named: { userIds, namespaceIds: [], all: false } };
  }
  if (!kind.startsWith('reassign_') && !kind.startsWith('change_reviewer_')) return {};
  return { added: [cast.added.id], removed: [cast.removed.id] };
}
