import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { ItemList } from '../../../core/ui/components/item-list.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { LabelsRepository } from '../../labels/labels.repository.js';
import {
  MilestoneSections,
  type ShownMilestone,
} from '../../milestones/pages/milestone-sections.service.js';
import { IssuesRepository } from '../issues.repository.js';
import { IssueItem } from './issue-item.js';
import { issuePageContext } from './issue-page-context.js';

/** The rest of the issues stands in the list that the page links to. */
const MAX_SHOWN = 50;

/** Shows the issues of a milestone on its page. */
@Injectable()
export class MilestoneIssuesSection implements OnModuleInit {
  constructor(
    private readonly sections: MilestoneSections,
    private readonly issues: IssuesRepository,
    private readonly labels: LabelsRepository,
  ) {}

  onModuleInit(): void {
    this.sections.add((shown) => this.show(shown));
  }

  private async show(shown: ShownMilestone): Promise<VNode | null> {
    const { milestone, project, pageContext, paging } = shown;
    const { viewer } = pageContext;
    if (!project.issuesEnabled || !canInProject('read_issue', { ...project, viewer })) return null;
    const selection = { projectId: project.id, milestoneId: milestone.id };
    const listing = { filters: {}, paging: paging.first(MAX_SHOWN) };
    const { items } = await this.issues.list(viewer, selection, listing);
    if (items.length === 0) return null;
    const names = items.flatMap((issue) => issue.labels);
    const labels = await this.labels.byName(project.id, names);
    const context = issuePageContext(project, pageContext);
    return (
      <Card title="Issues" flush>
        <ItemList label="Issues">
          {items.map((issue) => (
            <IssueItem
              key={issue.id}
              issue={{ ...issue, milestone: null }}
              context={context}
              list={context.issues}
              labels={labels}
            />
          ))}
        </ItemList>
      </Card>
    );
  }
}
