import type { Viewer } from '../../core/access/viewer.js';
import { ForbiddenError } from '../../core/errors.js';
import { canInProject } from '../../identity/members/abilities.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { FoundIssue } from './sql/issue-list.js';

/** Throws ForbiddenError in a project that has issues turned off. */
export function assertIssuesEnabled(project: ProjectRow): void {
  if (!project.issuesEnabled) throw new ForbiddenError();
}

/** Throws ForbiddenError also in an archived project, which is read-only for everyone. */
export function assertTakesIssues(project: ProjectRow): void {
  assertIssuesEnabled(project);
  if (project.archived) throw new ForbiddenError();
}

/** Throws ForbiddenError unless the viewer is the author or can administer the issue. */
export function assertMayChange(issue: FoundIssue, viewer: Viewer): void {
  if (issue.author.id !== viewer.id && !mayAdminister(issue, viewer)) throw new ForbiddenError();
}

/** Returns whether the viewer can plan the work on the issue and decide who sees it. */
export function mayAdminister(
  { accessLevel }: Pick<FoundIssue, 'accessLevel'>,
  viewer: Viewer,
): boolean {
  return canInProject('admin_issue', { visibility: VISIBILITY.private, accessLevel, viewer });
}
