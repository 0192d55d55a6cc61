import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';

type Named = Pick<ProjectRow, 'path' | 'namespace'>;

/** The list of a project's alerts. */
export function alertsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/alert_management`;
}

/** The page of one alert; its forms post below. */
export function alertPath(project: Named, iid: number): string {
  return `${alertsPath(project)}/${iid}/details`;
}

/** The list of a project's silences. */
export function silencesPath(project: Named): string {
  return `${alertsPath(project)}/silences`;
}

/** Below it are the pages of single integrations. */
export function integrationsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/settings/alert_integrations`;
}

/** The page of an incident. */
export function incidentPath(project: Named, iid: number): string {
  return `/${fullPathOf(project)}/-/issues/incident/${iid}`;
}
