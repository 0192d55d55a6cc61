import { ForbiddenError } from '../../core/errors.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import type { FoundAlert } from '../sql/alert-list.js';

/** An alert and its project, as the viewer can see them. */
export interface PlacedAlert {
  project: ProjectRow;
  alert: FoundAlert;
}

/** 403 in an archived project, which is read-only for everyone. */
export function assertTakesAlertChanges(project: ProjectRow): void {
  if (project.archived) throw new ForbiddenError();
}
