import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import type { FoundIssue } from '../sql/issue-list.js';

/** The page of an issue that someone looks at. */
interface ShownIssue {
  issue: FoundIssue;
  project: ProjectRow;
  pageContext: PageContext;
}

/** Card of another feature on the issue page; null for none. */
type IssueSection = (shown: ShownIssue) => Promise<VNode | null>;

/**
 * Parts of an issue's page that belong to features on higher floors: they add themselves when
 * their module starts.
 */
@Injectable()
export class IssueSections {
  private readonly sections: IssueSection[] = [];

  /** Shown from now on, after those that were added before; it decides itself who sees what. */
  add(section: IssueSection): void {
    this.sections.push(section);
  }

  /** The cards of the issue for the viewer of the page. */
  async of(shown: ShownIssue): Promise<VNode[]> {
    const cards = await Promise.all(this.sections.map((section) => section(shown)));
    return cards.filter((card) => card !== null);
  }
}
