import type { Viewer } from '../core/access/viewer.js';
import { ForbiddenError } from '../core/errors.js';
import type { Conditions } from '../core/sql/conditions.js';
import { mayPushTo as branchIsOpen } from '../git/reference-policy.js';
import { canInProject, PROJECT_ABILITIES, type ProjectAbility } from '../members/abilities.js';
import { authorizedProjectSql } from '../members/sql/access.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import type { ProjectRow } from '../projects/projects.repository.js';

/** SQL conditions over the tables of `MERGE_REQUEST_TABLES`. */
export interface MergeRequestVisibility {
  /** The viewer can see the merge request. */
  visible: string;
  /** The viewer can read the internal notes beneath it. */
  seesInternalNotes: string;
}

/**
 * Returns the conditions for the viewer: the merge requests of open projects, and of those in which
 * they can read the code; none when merge requests are disabled. Administrators see them all.
 */
export function mergeRequestVisibility(
  conditions: Conditions,
  viewer: Viewer | null,
): MergeRequestVisibility {
  const existing = 'NOT p.pending_delete AND p.merge_requests_enabled AND p.repository_enabled';
  if (viewer?.admin === true) return { visible: existing, seesInternalNotes: 'true' };
  if (viewer === null) {
    const open = `p.visibility = ${VISIBILITY.public}`;
    return { visible: `${existing} AND ${open}`, seesInternalNotes: 'false' };
  }
  const me = conditions.value(viewer.id);
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  const may = (ability: ProjectAbility): string => authorizedProjectSql(me, level(ability));
  const visible = `${existing} AND (p.visibility >= ${open} OR ${may('read_merge_request')})`;
  return { visible, seesInternalNotes: may('read_internal_note') };
}

function level(ability: ProjectAbility): string {
  return String(ROLES[PROJECT_ABILITIES[ability]]);
}

/**
 * Returns true if the project has merge requests: without a repository there is nothing to merge.
 */
export function hasMergeRequests(project: ProjectRow): boolean {
  return project.mergeRequestsEnabled && project.repositoryEnabled;
}

/** 403 for everyone in a project that has merge requests turned off. */
export function assertMergeRequestsEnabled(project: ProjectRow): void {
  if (!hasMergeRequests(project)) throw new ForbiddenError();
}

/** 403 also in an archived project, which is read-only for everyone. */
export function assertTakesMergeRequests(project: ProjectRow): void {
  assertMergeRequestsEnabled(project);
  if (project.archived) throw new ForbiddenError();
}

/** Author of a merge request, and access level of the viewer. */
interface Judged {
  author: { id: number };
  accessLevel: number;
}

/** 403 unless the viewer, who sees it, may change it: its author and Developers. */
export function assertMayChange(request: Judged, viewer: Viewer): void {
  if (!mayChange(request, viewer)) throw new ForbiddenError();
}

/** May the viewer, who sees it, change its texts and state? */
export function mayChange(request: Judged, viewer: Viewer | null): boolean {
  if (viewer === null) return false;
  return request.author.id === viewer.id || mayAdminister(request, viewer);
}

/** May the viewer, who sees it, plan the work on it? */
export function mayAdminister(
  { accessLevel }: Pick<Judged, 'accessLevel'>,
  viewer: Viewer,
): boolean {
  return hasRole('admin_merge_request', { accessLevel, viewer });
}

/** A branch of a project, and who would push to it. */
interface Pusher {
  branch: string;
  defaultBranch: string | null;
  accessLevel: number;
  viewer: Viewer | null;
}

/** May they push to the branch? The default branch is protected (as for pushes). */
export function mayPushTo({ branch, defaultBranch: protectedBranch, ...person }: Pusher): boolean {
  const canPushProtected = hasRole('push_protected', person);
  const isOpen = branchIsOpen(branch, { protectedBranch, canPushProtected });
  return isOpen && hasRole('push_code', person);
}

/** Visibility opens none of these: they take a role. */
function hasRole(
  ability: ProjectAbility,
  { accessLevel, viewer }: { accessLevel: number; viewer: Viewer | null },
): boolean {
  return canInProject(ability, { visibility: VISIBILITY.private, accessLevel, viewer });
}
