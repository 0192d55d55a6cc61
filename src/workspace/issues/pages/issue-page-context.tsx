import type { ComponentChildren, VNode } from 'preact';
import { NotFoundError } from '../../../core/errors.js';
import type { Viewer } from '../../../core/access/viewer.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
import { canInProject, type ProjectAbility } from '../../../identity/members/abilities.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { ProjectFrame, projectInfo } from '../../projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { mayAdminister } from '../issue-access.js';
import type { FoundIssue } from '../sql/issue-columns.js';
import type { IssueType } from '../issue.entity.js';

/** A project whose issues are shown, and what its visitor can do there. */
export interface IssuePageContext {
  project: ProjectRow;
  viewer: Viewer | null;
  /** Addresses of the lists. */
  issues: string;
  incidents: string;
  milestones: string;
  mayCreate: boolean;
  /** True if the viewer can set more attributes of a new issue than its texts. */
  mayPlan: boolean;
  /** May report incidents. */
  mayReport: boolean;
}

/** The place of a project's issues; 404 when it has issues turned off. */
export function issuePageContext(project: ProjectRow, { viewer }: PageContext): IssuePageContext {
  if (!project.issuesEnabled) throw new NotFoundError();
  const base = `/${fullPathOf(project)}/-`;
  const asMember = (ability: ProjectAbility): boolean =>
    canInProject(ability, { ...project, visibility: VISIBILITY.private, viewer });
  return {
    project,
    viewer,
    issues: `${base}/issues`,
    incidents: `${base}/incidents`,
    milestones: `${base}/milestones`,
    mayCreate: !project.archived && canInProject('create_issue', { ...project, viewer }),
    mayPlan: asMember('create_issue'),
    mayReport: asMember('admin_issue'),
  };
}

/** The address of an issue's page; incidents have one of their own kind. */
export function issuePath(
  { issues }: Pick<IssuePageContext, 'issues'>,
  { iid, issueType }: Pick<FoundIssue, 'iid' | 'issueType'>,
): string {
  return issueType === 'incident' ? `${issues}/incident/${iid}` : `${issues}/${iid}`;
}

/** Returns true if the viewer can update the issue. */
export function mayChangeHere({ project, viewer }: IssuePageContext, issue: FoundIssue): boolean {
  if (viewer === null || project.archived) return false;
  return issue.author.id === viewer.id || mayAdminister(issue, viewer);
}

/** Returns true if the viewer can plan the work on the issue. */
export function mayPlanHere({ project, viewer }: IssuePageContext, issue: FoundIssue): boolean {
  return viewer !== null && !project.archived && mayAdminister(issue, viewer);
}

/** Returns true if the viewer can delete issues. */
export function mayDeleteHere({ project, viewer }: IssuePageContext): boolean {
  return !project.archived && canInProject('delete_issue', { ...project, viewer });
}

/**
 * Returns the title, breadcrumbs and navigation of a page below one of the lists; the list without
 * a title.
 */
export function placeInfo(
  { project, issues, incidents }: IssuePageContext,
  type: IssueType,
  title?: string,
): PageInfo {
  const list =
    type === 'incident'
      ? { label: 'Incidents', href: incidents }
      : { label: 'Issues', href: issues };
  if (title === undefined) return projectInfo(project, list.label);
  const { crumbs = [], ...info } = projectInfo(project, title);
  return { ...info, crumbs: [...crumbs, list] };
}

interface PlaceFrameProps {
  place: IssuePageContext;
  type: IssueType;
  title: ComponentChildren;
  description?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** Heading and tabs of the project, the heading of the page, and its content. */
export function ProjectLayout({
  place,
  type,
  title,
  description,
  ...rest
}: PlaceFrameProps): VNode {
  const current = type === 'incident' ? 'incidents' : 'issues';
  return (
    <ProjectFrame project={place.project} viewer={place.viewer} current={current}>
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
