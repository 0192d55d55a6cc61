import { byId, type Person, type World, type WorldEvent, type WorldProject } from './world.js';

const GUEST = 10;
const REPORTER = 20;
const OWNER = 50;
const INTERNAL = 10;
const PUBLIC = 20;

/** Nobody in particular. */
export type Asker = Person | null;

/** What a list is asked for; days as `YYYY-MM-DD`. */
export interface Wish {
  action?: string;
  target_type?: string;
  before?: string;
  after?: string;
  sort?: string;
}

/** The role that someone has in a project by whichever way; 0 for none. */
function levelIn(world: World, project: WorldProject, asker: Asker): number {
  if (asker === null) return 0;
  const space = byId(world.spaces, project.spaceId);
  if (space.ownerId === asker.id) return OWNER;
  const levels = world.memberships
    .filter(({ userId, isOver }) => userId === asker.id && !isOver)
    .filter(
      ({ projectId, spaceId }) =>
        projectId === project.id || (spaceId !== null && space.path.includes(spaceId)),
    )
    .map(({ level }) => level);
  return Math.max(0, ...levels);
}

export function isMember(world: World, project: WorldProject, asker: Asker): boolean {
  return levelIn(world, project, asker) >= GUEST;
}

/** Whether something of that visibility is open to someone who is no member of anything. */
function isOpen(visibility: number, asker: Asker): boolean {
  if (visibility === PUBLIC) return true;
  return visibility === INTERNAL && asker !== null && !asker.isExternal;
}

export function seesProject(world: World, project: WorldProject, asker: Asker): boolean {
  if (project.isBeingDeleted) return false;
  if (asker?.isAdmin === true || isOpen(project.visibility, asker)) return true;
  return isMember(world, project, asker);
}

/** Code, commits and merge requests: Guests of private projects see none of them. */
function seesCode(world: World, project: WorldProject, asker: Asker): boolean {
  if (asker?.isAdmin === true || isOpen(project.visibility, asker)) return true;
  return levelIn(world, project, asker) >= REPORTER;
}

function hasRole(world: World, project: WorldProject, asker: Asker): boolean {
  return asker?.isAdmin === true || levelIn(world, project, asker) >= REPORTER;
}

function seesIssue(world: World, id: number | null, asker: Asker): boolean {
  const issue = world.issues.find((one) => one.id === id);
  if (issue === undefined) return false;
  const project = byId(world.projects, issue.projectId);
  if (!project.features.issues) return false;
  if (!issue.isConfidential || hasRole(world, project, asker)) return true;
  if (asker === null) return false;
  return issue.authorId === asker.id || issue.assigneeIds.includes(asker.id);
}

function seesMergeRequest(world: World, id: number | null, asker: Asker): boolean {
  const mergeRequest = world.mergeRequests.find((one) => one.id === id);
  if (mergeRequest === undefined) return false;
  const project = byId(world.projects, mergeRequest.projectId);
  const { mergeRequests, repository } = project.features;
  return mergeRequests && repository && seesCode(world, project, asker);
}

function seesSnippet(world: World, id: number | null, asker: Asker): boolean {
  const snippet = world.snippets.find((one) => one.id === id);
  if (snippet === undefined) return false;
  // As with the snippet itself: administrators see it even where snippets are switched off.
  if (asker?.isAdmin === true) return true;
  const project = byId(world.projects, snippet.projectId);
  if (!project.features.snippets) return false;
  if (isMember(world, project, asker) || isOpen(snippet.visibility, asker)) return true;
  return snippet.authorId === asker?.id;
}

function seesNote(world: World, id: number | null, asker: Asker): boolean {
  const note = world.notes.find((one) => one.id === id);
  if (note === undefined) return false;
  const project = byId(world.projects, note.projectId);
  if (note.isInternal && !hasRole(world, project, asker)) return false;
  if (note.on === 'issue') return seesIssue(world, note.noteableId, asker);
  if (note.on === 'merge_request') return seesMergeRequest(world, note.noteableId, asker);
  if (note.on === 'snippet') return seesSnippet(world, note.noteableId, asker);
  return project.features.repository && seesCode(world, project, asker);
}

/** May the viewer see that this happened? The rules one by one, for one event. */
export function seesEvent(world: World, event: WorldEvent, asker: Asker): boolean {
  const project = byId(world.projects, event.projectId);
  if (!seesProject(world, project, asker)) return false;
  const { features } = project;
  const { target } = event;
  if (target === null) return features.repository && seesCode(world, project, asker);
  switch (target.type) {
    case 'project':
      return true;
    case 'issue':
      return seesIssue(world, target.id, asker);
    case 'merge_request':
      return seesMergeRequest(world, target.id, asker);
    case 'milestone':
      return features.issues || features.mergeRequests;
    case 'wiki_page':
      return features.wiki;
    case 'note':
      return seesNote(world, target.id, asker);
  }
}

/** Whether what someone does is listed for the viewer at all. */
export function showsActivity(person: Person, asker: Asker): boolean {
  if (asker?.isAdmin === true || asker?.id === person.id) return true;
  if (person.hasPrivateProfile || ['blocked', 'banned', 'pending'].includes(person.state)) {
    return false;
  }
  return person.isConfirmed || person.isBot;
}

const TARGET_WORDS: Record<string, string> = { wiki: 'wiki_page' };

/** Whether the event is one of those that were asked for; the days named are left out. */
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
