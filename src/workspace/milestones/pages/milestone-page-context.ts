import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { PageSections, type PageContext, type PageInfo } from '../../../core/ui/page-context.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { projectListInfo } from '../../projects/pages/project-frame.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import type { MilestoneRow } from '../milestones.repository.js';
import { hasMilestones } from '../milestones.service.js';

/** The project of a page about milestones, and the viewer's permissions. */
export interface MilestonePageContext {
  project: ProjectRow;
  viewer: Viewer | null;
  /** Address of the list; the others begin with it. */
  path: string;
  /** Address of the list of issues. */
  issues: string;
  mayChange: boolean;
}

/** Throws 404 in a project that has both issues and merge requests turned off. */
export function milestonePageContext(
  project: ProjectRow,
  { viewer }: PageContext,
): MilestonePageContext {
  if (!hasMilestones(project)) throw new NotFoundError();
  const base = `/${fullPathOf(project)}/-`;
  return {
    project,
    viewer,
    path: `${base}/milestones`,
    issues: `${base}/issues`,
    mayChange: !project.archived && canInProject('admin_milestone', { ...project, viewer }),
  };
}

/** Returns the address of a milestone's issues in a list of issues or incidents. */
export function milestoneIssuesPath(
  { issues }: Pick<MilestonePageContext, 'issues'>,
  { title }: Pick<MilestoneRow, 'title'>,
): string {
  return filledAddress(issues, { state: 'all', milestone: title });
}

/** Returns the title, breadcrumbs and navigation of a page; the list without a title. */
export function milestonePageInfo(
  { project, path }: MilestonePageContext,
  title?: string,
): PageInfo {
  return projectListInfo(project, { label: 'Milestones', href: path }, title);
}

/** The page of a milestone that someone looks at. */
export interface ShownMilestone {
  milestone: MilestoneRow;
  project: ProjectRow;
  pageContext: PageContext;
  paging: Paging;
}

/** Cards of other features on the page of a milestone. */
@Injectable()
export class MilestoneSections extends PageSections<ShownMilestone> {}
