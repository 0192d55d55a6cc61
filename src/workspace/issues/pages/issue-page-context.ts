import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import { PageSections, type PageContext, type PageInfo } from '../../../core/ui/page-context.js';
import { canInProject, type ProjectAbility } from '../../../identity/members/abilities.js';
import { VISIBILITY } from '../../../identity/members/visibility.js';
import { projectListInfo } from '../../projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { mayAdminister } from '../issue-rules.js';
import type { FoundIssue } from '../sql/issue-list.js';
import type { IssueType } from '../issue.entity.js';

/** The project of a page about issues, and the viewer's permissions. */
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
  /** True if the viewer can report incidents. */
  mayReport: boolean;
}

/** Throws 404 in a project that has issues turned off. */
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

/** Returns the address of the page of an issue or incident. */
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

/** Returns the title, breadcrumbs and navigation of a page; the list without a title. */
export function issuePageInfo(
  { project, issues, incidents }: IssuePageContext,
  type: IssueType,
  title?: string,
): PageInfo {
  const list =
    type === 'incident'
      ? { label: 'Incidents', href: incidents }
      : { label: 'Issues', href: issues };
  return projectListInfo(project, list, title);
}

/** The page of an issue that someone looks at. */
interface ShownIssue {
  issue: FoundIssue;
  project: ProjectRow;
  pageContext: PageContext;
}

/** Cards of other features on the page of an issue. */
@Injectable()
export class IssueSections extends PageSections<ShownIssue> {}
