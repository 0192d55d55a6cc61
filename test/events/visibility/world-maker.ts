import type { DataSource } from 'typeorm';
import { WikiPage } from '../../../src/events/wiki-pages.repository.js';
import { IssueAssignee } from '../../../src/workspace/issues/issue.entity.js';
import { Issue } from '../../../src/workspace/issues/issue.entity.js';
import { MergeRequest } from '../../../src/code/merge-requests/merge-request.entity.js';
import { Milestone } from '../../../src/workspace/milestones/milestone.entity.js';
import { Note } from '../../../src/workspace/notes/note.entity.js';
import { Snippet } from '../../../src/workspace/snippets/snippet.entity.js';
import type { Dice } from './dice.js';
import { makeEvents } from './events-maker.js';
import { insertAll, makeCast, makeMemberships, makeProjects } from './people-maker.js';
import type { Owned, World, WorldIssue, WorldNote, WorldSnippet } from './world.js';

const SHA = 'a'.repeat(40);

type Places = Pick<World, 'people' | 'projects'>;
type Things = Pick<World, 'issues' | 'mergeRequests' | 'snippets'>;

/** People, groups, projects, what is in them, and what happened to it: all of it in the database. */
export async function makeWorld(dataSource: DataSource, dice: Dice): Promise<World> {
  const cast = await makeCast(dataSource, dice);
  const projects = await makeProjects(dataSource, dice, cast.spaces);
  const memberships = await makeMemberships(dataSource, dice, { ...cast, projects });
  const places = { people: cast.people, projects };
  const things = {
    issues: await makeIssues(dataSource, dice, places),
    mergeRequests: await makeMergeRequests(dataSource, dice, places),
    milestones: await makeMilestones(dataSource, dice, places),
    wikiPages: await makeWikiPages(dataSource, dice, places),
    snippets: await makeSnippets(dataSource, dice, places),
  };
  const notes = await makeNotes(dataSource, dice, { ...places, ...things });
  const world = { ...cast, projects, memberships, ...things, notes };
  return { ...world, events: await makeEvents(dataSource, dice, world) };
}

function numbered<Draft extends object>(
  drafts: Draft[],
  ids: number[],
): (Draft & { id: number })[] {
  return drafts.map((draft, index) => Object.assign(draft, { id: ids[index] ?? 0 }));
}

/** Up to so many of something for each project. */
function spread<Draft>(
  dice: Dice,
  { projects }: Places,
  { most, make }: { most: number; make: (projectId: number, iid: number) => Draft },
): Draft[] {
  return projects.flatMap(({ id }) =>
    dice.times(dice.below(most + 1), (index) => make(id, index + 1)),
  );
}

async function makeIssues(
  dataSource: DataSource,
  dice: Dice,
  places: Places,
): Promise<WorldIssue[]> {
  const make = (projectId: number, iid: number) => ({
    projectId,
    iid,
    authorId: dice.pick(places.people).id,
    isConfidential: dice.chance(0.5),
    assigneeIds: dice.some(places.people, 0.12).map(({ id }) => id),
  });
  const drafts = spread(dice, places, { most: 4, make });
  const rows = drafts.map(({ projectId, iid, authorId, isConfidential: confidential }) => {
    return { projectId, iid, authorId, confidential, title: `Issue ${iid}` };
  });
  const issues = numbered(drafts, await insertAll(dataSource, Issue, rows));
  const assignees = issues.flatMap(({ id: issueId, assigneeIds }) =>
    assigneeIds.map((userId) => ({ issueId, userId })),
  );
  if (assignees.length > 0) await dataSource.manager.insert(IssueAssignee, assignees);
  return issues;
}

async function makeMergeRequests(
  dataSource: DataSource,
  dice: Dice,
  places: Places,
): Promise<Owned[]> {
  const make = (projectId: number, iid: number) => ({ projectId, iid });
  const drafts = spread(dice, places, { most: 2, make });
  const rows = drafts.map(({ projectId, iid }) => ({
    projectId,
    iid,
    authorId: dice.pick(places.people).id,
    title: `Merge request ${iid}`,
    sourceBranch: `branch-${iid}`,
    targetBranch: 'main',
    headSha: SHA,
    baseSha: SHA,
  }));
  return numbered(drafts, await insertAll(dataSource, MergeRequest, rows));
}

async function makeMilestones(
  dataSource: DataSource,
  dice: Dice,
  places: Places,
): Promise<Owned[]> {
  const make = (projectId: number, iid: number) => ({ projectId, iid });
  const drafts = spread(dice, places, { most: 2, make });
  const rows = drafts.map((draft) => ({ ...draft, title: `Milestone ${draft.iid}` }));
  return numbered(drafts, await insertAll(dataSource, Milestone, rows));
}

async function makeWikiPages(dataSource: DataSource, dice: Dice, places: Places): Promise<Owned[]> {
  const make = (projectId: number, iid: number) => ({ projectId, path: `page-${iid}.md` });
  const drafts = spread(dice, places, { most: 2, make });
  const rows = drafts.map((draft) => ({ ...draft }));
  return numbered(drafts, await insertAll(dataSource, WikiPage, rows));
}

async function makeSnippets(
  dataSource: DataSource,
  dice: Dice,
  places: Places,
): Promise<WorldSnippet[]> {
  const make = (projectId: number) => ({
    projectId,
    authorId: dice.pick(places.people).id,
    visibility: dice.pick([0, 0, 10, 20]),
  });
  const drafts = spread(dice, places, { most: 4, make });
  const rows = drafts.map((draft) => ({
    ...draft,
    title: 'Snippet',
    repositoryStorage: 'default',
  }));
  return numbered(drafts, await insertAll(dataSource, Snippet, rows));
}

/** Beneath all that takes comments, and beneath commits; some of them internal. */
async function makeNotes(
  dataSource: DataSource,
  dice: Dice,
  { people, projects, issues, mergeRequests, snippets }: Places & Things,
): Promise<WorldNote[]> {
  const beneath = (on: WorldNote['on'], odds: number) => (thing: Owned) =>
    dice.times(dice.below(3), () => ({
      on,
      projectId: thing.projectId,
      noteableId: thing.id as number | null,
      isInternal: dice.chance(odds),
    }));
  const drafts = [
    ...issues.flatMap(beneath('issue', 0.4)),
    ...mergeRequests.flatMap(beneath('merge_request', 0.3)),
    ...snippets.flatMap(beneath('snippet', 0.1)),
    ...projects.flatMap(({ id }) =>
      dice.times(dice.below(3), () => ({
        on: 'commit' as const,
        projectId: id,
        noteableId: null,
        isInternal: dice.chance(0.1),
      })),
    ),
  ];
  const rows = drafts.map(({ on, projectId, noteableId, isInternal: internal }) => ({
    issueId: on === 'issue' ? noteableId : null,
    mergeRequestId: on === 'merge_request' ? noteableId : null,
    snippetId: on === 'snippet' ? noteableId : null,
    commitProjectId: on === 'commit' ? projectId : null,
    commitSha: on === 'commit' ? SHA : null,
    authorId: dice.pick(people).id,
    body: 'Well said',
    internal,
  }));
  return numbered(drafts, await insertAll(dataSource, Note, rows));
}
