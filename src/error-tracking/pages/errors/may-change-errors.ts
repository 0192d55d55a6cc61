import type { Viewer } from '../../../core/access/viewer.js';
import { canInProject } from '../../../identity/members/abilities.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';

/**
 * Returns true if the pages offer updates to the viewer: to developers of projects that are not
 * archived.
 */
export function mayChangeErrors(project: ProjectRow, viewer: Viewer | null): boolean {
  return !project.archived && canInProject('admin_error', { ...project, viewer });
}
