import { fullPathOf, type ProjectRow } from '../workspace/projects/projects.repository.js';

type Named = Pick<ProjectRow, 'path' | 'namespace'>;

/** The list of a project's errors. */
export function errorsPath(project: Named): string {
  return `/${fullPathOf(project)}/-/error_tracking`;
}

/** The page of one error. */
export function errorPath(project: Named, id: number): string {
  return `${errorsPath(project)}/${id}/details`;
}

/** The stored events of an error; below it are the pages of single ones. */
export function errorEventsPath(project: Named, id: number): string {
  return `${errorsPath(project)}/${id}/events`;
}

/** The page of an issue. */
export function issuePath(project: Named, iid: number): string {
  return `/${fullPathOf(project)}/-/issues/${iid}`;
}
