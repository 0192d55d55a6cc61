import type { Viewer } from '../../core/access/auth-context.js';
import { EVENT_ACTIONS, EVENT_NOTEABLES, EVENT_TARGETS } from '../../core/activity/event.entity.js';
import { Conditions, allOf, anyOf } from '../../core/sql/conditions.js';
import {
  canInProject,
  PROJECT_ABILITIES,
  type ProjectAbility,
} from '../../identity/members/abilities.js';
import { authorizedProjectSql } from '../../identity/members/sql/access.js';
import { NO_ACCESS, ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { BriefProjectRow } from '../../workspace/projects/sql/project-statements.js';

/** Features that a project can disable. */
type ProjectFeature = 'issues' | 'mergeRequests' | 'wiki' | 'snippets' | 'repository';

/** The viewer's rights in the project of an event as SQL; known ones are constants. */
export interface EventRights {
  viewer: Viewer | null;
  has(feature: ProjectFeature): string;
  may(ability: ProjectAbility): string;
  /** The viewer is a member or an administrator. */
  isMember(): string;
}

const COLUMNS: Record<ProjectFeature, string> = {
  issues: 'p.issues_enabled',
  mergeRequests: 'p.merge_requests_enabled',
  wiki: 'p.wiki_enabled',
  snippets: 'p.snippets_enabled',
  repository: 'p.repository_enabled',
};

/** Returns the rights in the project of the request: all of them are known. */
export function rightsIn(project: BriefProjectRow, viewer: Viewer | null): EventRights {
  const { visibility, accessLevel } = project;
  const sql = (value: boolean): string => String(value);
  return {
    viewer,
    has: (feature) => sql(project[`${feature}Enabled`]),
    may: (ability) => sql(canInProject(ability, { visibility, accessLevel, viewer })),
    isMember: () => sql(viewer?.admin === true || accessLevel >= ROLES.guest),
  };
}

/** Roles that abilities of events need. */
const LEVELS = [ROLES.guest, ROLES.reporter] as const;

/** Returns the rights in the project of each event, as SQL over the columns of `projectsWithRoles`. */
export function rightsInAny(viewer: Viewer | null): EventRights {
  const has = (feature: ProjectFeature): string => COLUMNS[feature];
  if (viewer?.admin === true) return { viewer, has, may: () => 'true', isMember: () => 'true' };
  const holds = (level: number): string => (viewer === null ? 'false' : `p.holds_${level}`);
  const sight = `p.visibility >= ${openLevel(viewer)}`;
  return {
    viewer,
    has,
    may: (ability) =>
      anyOf(isOpen(ability, viewer) ? sight : 'false', holds(ROLES[PROJECT_ABILITIES[ability]])),
    isMember: () => holds(ROLES.guest),
  };
}

/** The viewer's id as SQL where their roles decide: not for administrators and anonymous viewers. */
export function viewerValue(conditions: Conditions, viewer: Viewer | null): string | null {
  return viewer === null || viewer.admin ? null : conditions.value(viewer.id);
}

/**
 * Returns a FROM part for projects `p` with whether the viewer `me` holds each of the roles in them.
 * OFFSET has PostgreSQL look that up once: repeated in the condition of each kind of events, the
 * look-ups took longer to plan than a list to run.
 */
export function projectsWithRoles(
  me: string | null,
  { from = 'projects p', where }: { from?: string; where: string },
): string {
  const roles = LEVELS.map(
    (level) =>
      `(${me === null ? 'NULL' : authorizedProjectSql(me, String(level))}) AS holds_${level}`,
  );
  return `(SELECT p.*, ${roles.join(', ')} FROM ${from} WHERE ${where} OFFSET 0) p`;
}

/** Returns the lowest visibility that the viewer can see without a membership. */
function openLevel(viewer: Viewer | null): number {
  return viewer === null || viewer.external ? VISIBILITY.public : VISIBILITY.internal;
}

/** The ability needs no role in a project that the viewer can see. */
function isOpen(ability: ProjectAbility, viewer: Viewer | null): boolean {
  const open = { visibility: VISIBILITY.public, accessLevel: NO_ACCESS, viewer };
  return canInProject(ability, open);
}

/** Condition of a kind of events, and the condition under which the viewer can see one. */
type Kind = readonly [kind: string, visible: string];

/**
 * Returns a SQL condition: the viewer can see the event `e` with their rights in its project, as they
 * are now. Events that no kind covers are hidden.
 *
 * Targets are looked up by scalar sub-selects: the planner reads whole tables for other forms when
 * it expects many events.
 */
export function visibleEventSql(conditions: Conditions, rights: EventRights): string {
  const kinds = kindsOf(conditions, rights);
  if (kinds.every(([, visible]) => visible === 'true')) return rights.may('read_project');
  const branches = kinds.map(([kind, visible]) => `WHEN ${kind} THEN ${visible}`);
  return allOf(rights.may('read_project'), `CASE ${branches.join(' ')} ELSE false END`);
}

function kindsOf(conditions: Conditions, rights: EventRights): Kind[] {
  const { has, may } = rights;
  const code = allOf(has('repository'), may('read_code'));
  // Without a repository there is nothing to merge: the merge requests are gone with it.
  const merging = allOf(has('mergeRequests'), has('repository'));
  const mergeRequests = allOf(merging, may('read_merge_request'));
  const issues = readableIssue(conditions, rights);
  const milestones = anyOf(has('issues'), has('mergeRequests'));
  const note = readableNote(rights);
  return [
    [`e.action = ${EVENT_ACTIONS.pushed}`, code],
    [of('issue'), issues('e.target_id')],
    [of('merge_request'), mergeRequests],
    [of('milestone'), allOf(milestones, may('read_milestone'))],
    [of('project'), 'true'],
    [of('wiki_page'), allOf(has('wiki'), may('read_wiki_page'))],
    [on('issue'), allOf(note, issues('e.noteable_id'))],
    [on('merge_request'), allOf(note, mergeRequests)],
    [on('commit'), allOf(note, code)],
    [on('snippet'), allOf(note, readableSnippet(conditions, rights))],
  ];
}

function of(target: keyof typeof EVENT_TARGETS): string {
  return `e.target_type = ${EVENT_TARGETS[target]}`;
}

function on(noteable: keyof typeof EVENT_NOTEABLES): string {
  return `${of('note')} AND e.noteable_type = ${EVENT_NOTEABLES[noteable]}`;
}

/** Confidential ones are for their author, their assignees, and who has the role for it. */
function readableIssue(
  conditions: Conditions,
  { viewer, has, may }: EventRights,
): (id: string) => string {
  const enabled = allOf(has('issues'), may('read_issue'));
  const all = may('read_confidential_issue');
  if (enabled === 'false' || all === 'true') return () => enabled;
  const me = viewer === null ? null : conditions.value(viewer.id);
  const mine = `i.author_id = ${me} OR ${me} IN
    (SELECT a.user_id FROM issue_assignees a WHERE a.issue_id = i.id)`;
  const open = me === null ? 'NOT i.confidential' : `NOT i.confidential OR ${mine}`;
  return (id) => allOf(enabled, anyOf(all, `(SELECT ${open} FROM issues i WHERE i.id = ${id})`));
}

/** Internal ones are for who has the role; the rest is decided by what they stand beneath. */
function readableNote({ may }: EventRights): string {
  const open = '(SELECT NOT t.internal FROM notes t WHERE t.id = e.target_id)';
  return anyOf(may('read_internal_note'), open);
}

/** Members see all snippets of a project, others those that are open to them and their own. */
function readableSnippet(
  conditions: Conditions,
  { viewer, has, may, isMember }: EventRights,
): string {
  if (viewer?.admin === true) return 'true';
  const enabled = allOf(has('snippets'), may('read_snippet'));
  if (enabled === 'false' || isMember() === 'true') return enabled;
  const mine = viewer === null ? '' : ` OR s.author_id = ${conditions.value(viewer.id)}`;
  const open = `(SELECT s.visibility >= ${openLevel(viewer)}${mine}
    FROM snippets s WHERE s.id = e.noteable_id)`;
  return allOf(enabled, anyOf(isMember(), open));
}

/** Returns the conditions for a user's events in all projects that the viewer can see. */
export function authoredBy(userId: number, viewer: Viewer | null): Conditions {
  const where = new Conditions();
  where.and(`e.author_id = ${where.id(userId)}`);
  const visible = visibleEventSql(where, rightsInAny(viewer));
  const project = projectsWithRoles(viewerValue(where, viewer), {
    where: 'p.id = e.project_id AND NOT p.pending_delete',
  });
  return where.and(`(SELECT ${visible} FROM ${project})`);
}
