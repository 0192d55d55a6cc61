import { ForbiddenError } from '../../core/errors.js';
import type { ProjectRow } from '../projects/projects.repository.js';

/** A project without issues and merge requests has no milestones. */
export function hasMilestones(project: ProjectRow): boolean {
  return project.issuesEnabled || project.mergeRequestsEnabled;
}

/** Throws ForbiddenError in a project that has both issues and merge requests turned off. */
export function assertMilestonesEnabled(project: ProjectRow): void {
  if (!hasMilestones(project)) throw new ForbiddenError();
}

/** Throws ForbiddenError also in an archived project, which is read-only for everyone. */
export function assertMilestonesWritable(project: ProjectRow): void {
  assertMilestonesEnabled(project);
  if (project.archived) throw new ForbiddenError();
}
