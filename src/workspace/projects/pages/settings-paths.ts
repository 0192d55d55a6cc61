import { fullPathOf, type ProjectRow } from '../projects.repository.js';

type Named = Pick<ProjectRow, 'path' | 'namespace'>;

/** Returns the path of a project's alert settings and integrations. */
export function alertSettingsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/settings/alerts`;
}

/** Returns the path of a project's error tracking settings and setup guides. */
export function errorSettingsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/settings/error_tracking`;
}
