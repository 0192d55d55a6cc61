import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import type { MilestoneRow } from '../milestones.repository.js';

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
