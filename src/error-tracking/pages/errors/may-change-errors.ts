import type { Viewer } from '../../../core/access/viewer.js';
import { canInProject } from '../../../members/abilities.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';

/** Whether the pages offer the viewer to change errors: developers, while nothing is archived. */
export function mayChangeErrors(project: ProjectRow, viewer: Viewer | null): boolean {
  return !project.archived && canInProject('admin_error', { ...project, viewer });
}
