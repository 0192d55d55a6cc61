import type { Crumb, PageInfo } from '../../../../core/ui/shell.js';
import { projectInfo } from '../../../../projects/pages/project-frame.js';
import type { ProjectRow } from '../../../../projects/projects.repository.js';
import { errorTitle, type ErrorRow } from '../../../errors/error-row.js';
import { errorPath, errorsPath } from '../../../error-paths.js';

const LONGEST_CRUMB = 60;

/** Returns the title, breadcrumbs and navigation of an error page. */
export function errorInfo(project: ProjectRow, error: ErrorRow): PageInfo {
  return { ...infoBelow(project, [listOf(project)]), title: errorTitle(error) };
}

/** Returns the title, breadcrumbs and navigation of a page below an error. */
export function errorPartInfo(project: ProjectRow, error: ErrorRow, title: string): PageInfo {
  const name = errorTitle(error);
  const label = name.length > LONGEST_CRUMB ? `${name.slice(0, LONGEST_CRUMB - 1)}…` : name;
  const own = { label, href: errorPath(project, error.id) };
  return { ...infoBelow(project, [listOf(project), own]), title };
}

function infoBelow(project: ProjectRow, steps: Crumb[]): PageInfo {
  const info = projectInfo(project, 'Errors');
  return { ...info, crumbs: [...(info.crumbs ?? []), ...steps] };
}

function listOf(project: ProjectRow): Crumb {
  return { label: 'Errors', href: errorsPath(project) };
}
