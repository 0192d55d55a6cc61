import type { NewEvent } from '../../src/core/activity/event.entity.js';
import { WikiPage } from '../../src/events/wiki-pages.repository.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { MergeRequest } from '../../src/code/merge-requests/merge-request.entity.js';
import { Milestone } from '../../src/workspace/milestones/milestone.entity.js';
import { Note } from '../../src/workspace/notes/note.entity.js';
import type { TestApp } from './app.js';
import { makePush, recordEvent } from './event-factories.js';
import { makeSnippet } from './snippet-factories.js';

const MINUTE_MS = 60_000;
const SHA = 'c'.repeat(40);

interface FeedPageContext {
  projectId: number;
  authorId: number;
}

/** Targets of events by ID; their numbers within the project are 7. */
export interface FeedThings {
  issueId: number;
  snippetId: number;
  noteIds: Record<'issue' | 'mergeRequest' | 'snippet' | 'commit', number>;
}

/** An event of each kind in the project, a minute apart; `text` is in all that someone can write. */
export async function makeFeed(
  app: TestApp,
  place: FeedPageContext,
  text: string,
): Promise<FeedThings> {
  const { manager } = app.dataSource;
  const { projectId, authorId } = place;
  const insert = async (entity: Parameters<typeof manager.insert>[0], row: object) => {
    // TypeORM writes the new id into the object it is given.
    const { identifiers } = await manager.insert(entity, { ...row });
    return (identifiers[0] as { id: number }).id;
  };
  const numbered = { projectId, authorId, iid: 7, title: text };
  const issueId = await insert(Issue, numbered);
  const mergeRequestId = await insert(MergeRequest, {
    ...numbered,
    sourceBranch: 'topic',
    targetBranch: 'main',
    headSha: SHA,
    baseSha: SHA,
  });
  const milestoneId = await insert(Milestone, { projectId, iid: 7, title: text });
  const wikiPageId = await insert(WikiPage, { projectId, path: 'guides/First-steps.md' });
  const { id: snippetId } = await makeSnippet(app, {
    authorId,
    projectId,
    title: text,
    visibility: 20,
    files: null,
  });
  const write = (row: object): Promise<number> => insert(Note, { authorId, body: text, ...row });
  const noteIds = {
    issue: await write({ issueId }),
    mergeRequest: await write({ mergeRequestId }),
    snippet: await write({ snippetId }),
    commit: await write({ commitProjectId: projectId, commitSha: SHA }),
  };
  const project = { type: 'project', id: projectId } as const;
  const milestone = { type: 'milestone', id: milestoneId } as const;
  const mergeRequest = { type: 'merge_request', id: mergeRequestId } as const;
  const comment = (
    id: number,
    noteable: NonNullable<NewEvent['noteable']>,
  ): Omit<NewEvent, keyof FeedPageContext> => ({
    action: 'commented',
    target: { type: 'note', id },
    noteable,
  });
  await recordAll(app, place, [
    { action: 'created', target: project },
    { action: 'joined', target: project },
    { action: 'created', target: { type: 'issue', id: issueId } },
    { action: 'closed', target: milestone },
    { action: 'created', target: mergeRequest },
    { action: 'approved', target: mergeRequest },
    { action: 'merged', target: mergeRequest },
    { action: 'updated', target: { type: 'wiki_page', id: wikiPageId } },
    comment(noteIds.issue, { type: 'issue', id: issueId }),
    comment(noteIds.mergeRequest, { type: 'merge_request', id: mergeRequestId }),
    comment(noteIds.snippet, { type: 'snippet', id: snippetId }),
    comment(noteIds.commit, { type: 'commit', id: null }),
    pushed({ commitCount: 2, commitTitle: text, ref: 'feature/silk' }),
    pushed({ action: 'created', commitFrom: null, commitTitle: text, ref: 'spring' }),
    pushed({ action: 'removed', commitTo: null, commitCount: 0, commitTitle: null, ref: 'old' }),
    pushed({ action: 'created', refType: 'tag', commitFrom: null, commitTitle: text, ref: 'v1' }),
    pushed({ ...NO_COMMITS, action: 'created', refCount: 4 }),
    { action: 'left', target: project },
    { action: 'expired', target: project },
  ]);
  return { issueId, snippetId, noteIds };
}

const NO_COMMITS = {
  ref: null,
  commitFrom: null,
  commitTo: null,
  commitCount: 0,
  commitTitle: null,
} as const;

function pushed(push: Parameters<typeof makePush>[0]): Omit<NewEvent, keyof FeedPageContext> {
  return { action: 'pushed', push: makePush(push) };
}

/** The last of them now. */
async function recordAll(
  app: TestApp,
  place: FeedPageContext,
  events: Omit<NewEvent, keyof FeedPageContext>[],
): Promise<void> {
  const now = Date.now();
  for (const [at, event] of events.entries()) {
    const createdAt = new Date(now - (events.length - 1 - at) * MINUTE_MS);
    await recordEvent(app, { ...place, ...event, createdAt });
  }
}
