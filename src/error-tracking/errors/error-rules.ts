import { ForbiddenError } from '../../core/errors.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import type { ErrorRow } from './error-row.js';

/** An error and its project, as the viewer can see them. */
export interface PlacedError {
  project: ProjectRow;
  error: ErrorRow;
}

/** 403 in an archived project, which is read-only for everyone. */
export function assertTakesErrorChanges(project: ProjectRow): void {
  if (project.archived) throw new ForbiddenError();
}
