import type { Viewer } from '../../core/access/auth-context.js';
import { ForbiddenError, MethodNotAllowedError } from '../../core/errors.js';
import { mayPushTo as branchIsOpen } from '../../git/reference-policy.js';
import { canInProject, type ProjectAbility } from '../../identity/members/abilities.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { isDraft } from './drafts.js';
import type { MergeRequest } from './merge-request.entity.js';

type Features = Pick<ProjectRow, 'mergeRequestsEnabled' | 'repositoryEnabled'>;

/**
 * Returns true if the project has merge requests: without a repository there is nothing to merge.
 */
export function hasMergeRequests(project: Features): boolean {
  return project.mergeRequestsEnabled && project.repositoryEnabled;
}

/** Throws 403 in a project that has merge requests turned off. */
export function assertMergeRequestsEnabled(project: Features): void {
  if (!hasMergeRequests(project)) throw new ForbiddenError();
}

/** Throws 403 also in an archived project, which is read-only for everyone. */
export function assertTakesMergeRequests(project: ProjectRow): void {
  assertMergeRequestsEnabled(project);
  if (project.archived) throw new ForbiddenError();
}

/** Author of a merge request, and access level of the viewer. */
interface Judged {
  author: { id: number };
  accessLevel: number;
}

/** Throws 403 unless the viewer is the author or a Developer; the caller has checked visibility. */
export function assertMayChange(request: Judged, viewer: Viewer): void {
  if (!mayChange(request, viewer)) throw new ForbiddenError();
}

/** Returns true if the viewer, who can see it, can change its texts and state. */
export function mayChange(request: Judged, viewer: Viewer | null): boolean {
  if (viewer === null) return false;
  return request.author.id === viewer.id || mayAdminister(request, viewer);
}

/** Returns true if the viewer, who can see it, can plan the work on it. */
export function mayAdminister(
  { accessLevel }: Pick<Judged, 'accessLevel'>,
  viewer: Viewer,
): boolean {
  return hasRole('admin_merge_request', { accessLevel, viewer });
}

/** A branch of a project, and the user of a push to it. */
interface Pusher {
  branch: string;
  defaultBranch: string | null;
  accessLevel: number;
  viewer: Viewer | null;
}

/** Returns true if they can push to the branch; the default branch is protected, as for pushes. */
export function mayPushTo({ branch, defaultBranch: protectedBranch, ...person }: Pusher): boolean {
  const canPushProtected = hasRole('push_protected', person);
  const isOpen = branchIsOpen(branch, { protectedBranch, canPushProtected });
  return isOpen && hasRole('push_code', person);
}

/** Returns true if the viewer, who can see the merge request, can push to its target branch. */
export function mayMerge(
  {
    targetBranch: branch,
    accessLevel,
  }: Pick<MergeRequest, 'targetBranch'> & { accessLevel: number },
  { defaultBranch }: Pick<ProjectRow, 'defaultBranch'>,
  viewer: Viewer | null,
): boolean {
  return mayPushTo({ branch, defaultBranch, accessLevel, viewer });
}

/** Returns 405 in the words of v4. */
export function notAllowed(): MethodNotAllowedError {
  return new MethodNotAllowedError({ message: '405 Method Not Allowed' });
}

/** Throws 405 for drafts and for merge requests that are not open. */
export function assertMergeable({ state, title }: Pick<MergeRequest, 'state' | 'title'>): void {
  if (state !== 'opened' || isDraft(title)) throw notAllowed();
}

/** Visibility grants none of these: they take a role. */
function hasRole(
  ability: ProjectAbility,
  { accessLevel, viewer }: { accessLevel: number; viewer: Viewer | null },
): boolean {
  return canInProject(ability, { visibility: VISIBILITY.private, accessLevel, viewer });
}
