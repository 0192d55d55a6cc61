import type { PageInfo } from '../../../core/ui/shell.js';
import { projectInfo } from '../../../projects/pages/project-frame.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';
import { alertsPath } from '../alert-paths.js';

/** Returns the title, breadcrumbs and navigation of an alert page. */
export function alertInfo(
  project: ProjectRow,
  { iid, title }: { iid: number; title: string },
): PageInfo {
  const info = projectInfo(project, `#${iid} ${title}`);
  const list = { label: 'Alerts', href: alertsPath(project) };
  return { ...info, crumbs: [...(info.crumbs ?? []), list], live: true };
}
