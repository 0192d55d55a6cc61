import type { Viewer } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { projectListInfo } from '../../../workspace/projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { type CodeAddresses, codeAddresses } from '../../repository/pages/code-frame.js';
import { hasMergeRequests, mayAdminister, mayChange } from '../merge-request-access.js';
import type { FoundMergeRequest } from '../sql/merge-requests.js';

/** A project whose merge requests are shown, and what its visitor can do there. */
export interface MergeRequestPageContext {
  project: ProjectRow;
  viewer: Viewer | null;
  /** Address of the list; the others begin with it. */
  path: string;
  issues: string;
  milestones: string;
  code: CodeAddresses;
  mayCreate: boolean;
}

/** Throws 404 when the project has merge requests, or its code, turned off. */
export function mergeRequestPageContext(
  project: ProjectRow,
  { viewer }: PageContext,
): MergeRequestPageContext {
  if (!hasMergeRequests(project)) throw new NotFoundError();
  const base = `/${fullPathOf(project)}/-`;
  return {
    project,
    viewer,
    path: `${base}/merge_requests`,
    issues: `${base}/issues`,
    milestones: `${base}/milestones`,
    code: codeAddresses(project),
    mayCreate: !project.archived && canInProject('create_merge_request', { ...project, viewer }),
  };
}

/** The same for changes; 404 in an archived project, where no link leads to one. */
export function changeablePageContext(
  project: ProjectRow,
  pageContext: PageContext,
): MergeRequestPageContext {
  if (project.archived) throw new NotFoundError();
  return mergeRequestPageContext(project, pageContext);
}

/** Returns true if the viewer can change the texts and the state of the merge request. */
export function mayChangeHere(
  { project, viewer }: MergeRequestPageContext,
  row: FoundMergeRequest,
): boolean {
  return !project.archived && mayChange(row, viewer);
}

/** Returns true if the viewer can plan the work on the merge request. */
export function mayPlanHere(
  { project, viewer }: MergeRequestPageContext,
  row: FoundMergeRequest,
): boolean {
  return viewer !== null && !project.archived && mayAdminister(row, viewer);
}

/** Returns true if the viewer can delete merge requests. */
export function mayDeleteHere({ project, viewer }: MergeRequestPageContext): boolean {
  return !project.archived && canInProject('own_project', { ...project, viewer });
}

/** Returns the title, breadcrumbs and navigation of a page; the list without a title. */
export function mergeRequestPageInfo(
  { project, path }: MergeRequestPageContext,
  title?: string,
): PageInfo {
  return projectListInfo(project, { label: 'Merge requests', href: path }, title);
}
