import type { ComponentChildren, VNode } from 'preact';
import type { Viewer } from '../../../core/access/viewer.js';
import { NotFoundError } from '../../../core/errors.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
import { type CodeAddresses, codeAddresses } from '../../repository/pages/addresses.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { ProjectFrame, projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { hasMergeRequests, mayAdminister, mayChange } from '../merge-request-access.js';
import type { FoundMergeRequest } from '../sql/merge-request-columns.js';

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

/** The place of a project's merge requests; 404 when it has them, or its code, turned off. */
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
export function placeInfo({ project, path }: MergeRequestPageContext, title?: string): PageInfo {
  const list = { label: 'Merge requests', href: path };
  if (title === undefined) return projectInfo(project, list.label);
  const { crumbs = [], ...info } = projectInfo(project, title);
  return { ...info, crumbs: [...crumbs, list] };
}

interface PlaceFrameProps {
  place: MergeRequestPageContext;
  title: ComponentChildren;
  description?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** Heading and tabs of the project, the heading of the page, and its content. */
export function ProjectLayout({ place, title, description, ...rest }: PlaceFrameProps): VNode {
  return (
    <ProjectFrame project={place.project} viewer={place.viewer} current="merge_requests">
      <div class="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div class="min-w-0 grow basis-80">
          <h2 class="wrap-anywhere">{title}</h2>
          {description !== undefined && (
            <div class="text-muted-foreground mt-2 text-sm">{description}</div>
          )}
        </div>
        {rest.actions !== undefined && <div class="flex flex-wrap gap-2">{rest.actions}</div>}
      </div>
      {rest.children}
    </ProjectFrame>
  );
}
