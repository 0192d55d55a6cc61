import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { Viewer } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import type { PageInfo, PageContext } from '../../../core/ui/page-context.js';
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

/** Card of another feature on the milestone page; null for none. */
type MilestoneSection = (shown: ShownMilestone) => Promise<VNode | null>;

/**
 * Parts of a milestone's page that belong to features on higher floors: they add themselves when
 * their module starts.
 */
@Injectable()
export class MilestoneSections {
  private readonly sections: MilestoneSection[] = [];

  /** Shown from now on, after those that were added before; it decides itself who sees what. */
  add(section: MilestoneSection): void {
    this.sections.push(section);
  }

  /** The cards of the milestone for the viewer of the page. */
  async of(shown: ShownMilestone): Promise<VNode[]> {
    const cards = await Promise.all(this.sections.map((section) => section(shown)));
    return cards.filter((card) => card !== null);
  }
}
