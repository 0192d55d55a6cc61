import { byId, type Person, type World, type WorldEvent, type WorldProject } from './world.js';

const GUEST = 10;
const REPORTER = 20;
const OWNER = 50;
const INTERNAL = 10;
const PUBLIC = 20;

/** Viewer of a list; null = anonymous. */
export type Asker = Person | null;

/** Filters of a list; days as `YYYY-MM-DD`. */
export interface Wish {
  action?: string;
  target_type?: string;
  before?: string;
  after?: string;
  sort?: string;
}

/** The role that someone has in a project by whichever way; 0 for none. */
function levelIn(world: World, project: WorldProject, viewer: Asker): number {
  if (viewer === null) return 0;
  const space = byId(world.spaces, project.spaceId);
  if (space.ownerId === viewer.id) return OWNER;
  const levels = world.memberships
    .filter(({ userId, isOver }) => userId === viewer.id && !isOver)
    .filter(
      ({ projectId, spaceId }) =>
        projectId === project.id || (spaceId !== null && space.path.includes(spaceId)),
    )
    .map(({ level }) => level);
  return Math.max(0, ...levels);
}

export function isMember(world: World, project: WorldProject, viewer: Asker): boolean {
  return levelIn(world, project, viewer) >= GUEST;
}

/** Returns true if the visibility is open to a viewer without memberships. */
function isOpen(visibility: number, viewer: Asker): boolean {
  if (visibility === PUBLIC) return true;
  return visibility === INTERNAL && viewer !== null && !viewer.isExternal;
}

export function seesProject(world: World, project: WorldProject, viewer: Asker): boolean {
  if (project.isBeingDeleted) return false;
  if (viewer?.isAdmin === true || isOpen(project.visibility, viewer)) return true;
  return isMember(world, project, viewer);
}

/** Code, commits and merge requests: Guests of private projects see none of them. */
function seesCode(world: World, project: WorldProject, viewer: Asker): boolean {
  if (viewer?.isAdmin === true || isOpen(project.visibility, viewer)) return true;
  return levelIn(world, project, viewer) >= REPORTER;
}

function hasRole(world: World, project: WorldProject, viewer: Asker): boolean {
  return viewer?.isAdmin === true || levelIn(world, project, viewer) >= REPORTER;
}

function seesIssue(world: World, id: number | null, viewer: Asker): boolean {
  const issue = world.issues.find((one) => one.id === id);
  if (issue === undefined) return false;
  const project = byId(world.projects, issue.projectId);
  if (!project.features.issues) return false;
  if (!issue.isConfidential || hasRole(world, project, viewer)) return true;
  if (viewer === null) return false;
  return issue.authorId === viewer.id || issue.assigneeIds.includes(viewer.id);
}

function seesMergeRequest(world: World, id: number | null, viewer: Asker): boolean {
  const mergeRequest = world.mergeRequests.find((one) => one.id === id);
  if (mergeRequest === undefined) return false;
  const project = byId(world.projects, mergeRequest.projectId);
  const { mergeRequests, repository } = project.features;
  return mergeRequests && repository && seesCode(world, project, viewer);
}

function seesSnippet(world: World, id: number | null, viewer: Asker): boolean {
  const snippet = world.snippets.find((one) => one.id === id);
  if (snippet === undefined) return false;
  // As with the snippet itself: administrators see it even where snippets are switched off.
  if (viewer?.isAdmin === true) return true;
  const project = byId(world.projects, snippet.projectId);
  if (!project.features.snippets) return false;
  if (isMember(world, project, viewer) || isOpen(snippet.visibility, viewer)) return true;
  return snippet.authorId === viewer?.id;
}

function seesNote(world: World, id: number | null, viewer: Asker): boolean {
  const note = world.notes.find((one) => one.id === id);
  if (note === undefined) return false;
  const project = byId(world.projects, note.projectId);
  if (note.isInternal && !hasRole(world, project, viewer)) return false;
  if (note.on === 'issue') return seesIssue(world, note.noteableId, viewer);
  if (note.on === 'merge_request') return seesMergeRequest(world, note.noteableId, viewer);
  if (note.on === 'snippet') return seesSnippet(world, note.noteableId, viewer);
  return project.features.repository && seesCode(world, project, viewer);
}

/** May the viewer see that this happened? The rules one by one, for one event. */
export function seesEvent(world: World, event: WorldEvent, viewer: Asker): boolean {
  const project = byId(world.projects, event.projectId);
  if (!seesProject(world, project, viewer)) return false;
  const { features } = project;
  const { target } = event;
  if (target === null) return features.repository && seesCode(world, project, viewer);
  switch (target.type) {
    case 'project':
      return true;
    case 'issue':
      return seesIssue(world, target.id, viewer);
    case 'merge_request':
      return seesMergeRequest(world, target.id, viewer);
    case 'milestone':
      return features.issues || features.mergeRequests;
    case 'wiki_page':
      return features.wiki;
    case 'note':
      return seesNote(world, target.id, viewer);
  }
}

/** Returns true if the activity of the person is visible to the viewer at all. */
export function showsActivity(person: Person, viewer: Asker): boolean {
  if (viewer?.isAdmin === true || viewer?.id === person.id) return true;
  if (person.hasPrivateProfile || ['blocked', 'banned', 'pending'].includes(person.state)) {
    return false;
  }
  return person.isConfirmed || person.isBot;
}

const TARGET_WORDS: Record<string, string> = { wiki: 'wiki_page' };

/** Returns true if the event matches the filters; the named days are excluded. */
export function isWished(event: WorldEvent, { action, target_type, before, after }: Wish): boolean {
  const day = event.createdAt.toISOString().slice(0, 10);
  if (action !== undefined && event.action !== action) return false;
  const word = target_type === undefined ? undefined : (TARGET_WORDS[target_type] ?? target_type);
  if (word !== undefined && event.target?.type !== word) return false;
  return (before === undefined || day < before) && (after === undefined || day > after);
}

/** By time, then by id. */
export function inOrder(events: readonly WorldEvent[], { sort }: Wish): WorldEvent[] {
  const sign = sort === 'asc' ? 1 : -1;
  return events.toSorted(
    (one, other) =>
      sign * (one.createdAt.getTime() - other.createdAt.getTime() || one.id - other.id),
  );
}
