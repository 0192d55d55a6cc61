import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../projects.repository.js';

/** The overview of a project that someone looks at. */
export interface ShownProject {
  project: ProjectRow;
  pageContext: PageContext;
}

/** Section of another feature on the project overview; null for none. */
type ProjectOverviewSection = (shown: ShownProject) => Promise<VNode | null>;

/**
 * Parts of a project's overview that belong to features on higher floors: they add themselves when
 * their module starts.
 */
@Injectable()
export class ProjectOverviewSections {
  private readonly sections: ProjectOverviewSection[] = [];

  /** Shown from now on, after those that were added before; it decides itself who sees what. */
  add(section: ProjectOverviewSection): void {
    this.sections.push(section);
  }

  /** The parts of the project for the viewer of the page. */
  async of(shown: ShownProject): Promise<VNode[]> {
    const parts = await Promise.all(this.sections.map((section) => section(shown)));
    return parts.filter((part) => part !== null);
  }
}
