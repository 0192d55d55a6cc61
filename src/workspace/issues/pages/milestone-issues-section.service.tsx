import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import type { Viewer } from '../../../core/access/auth-context.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { COUNTED_RECORDS } from '../../../core/sql/list-query.js';
import { counted } from '../../../core/ui/amounts.js';
import { Card } from '../../../core/ui/components/content.js';
import { ItemList } from '../../../core/ui/components/list.js';
import { canInProject } from '../../../identity/members/abilities.js';
import { LabelsRepository } from '../../labels/labels.repository.js';
import {
  milestoneIssuesPath,
  MilestoneSections,
  type ShownMilestone,
} from '../../milestones/pages/milestone-page-context.js';
import { type IssueCounts, IssuesRepository } from '../issues.repository.js';
import type { IssueRow, IssueSelection } from '../sql/issue-list.js';
import { IssueItem } from './issue-list.js';
import { issuePageContext } from './issue-page-context.js';

/** The rest is in the lists that the card links to. */
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
    const [issues, incidents, items] = await Promise.all([
      this.issues.countForTabs(viewer, selection, { issue_type: 'issue' }),
      this.issues.countForTabs(viewer, selection, { issue_type: 'incident' }),
      this.listOpenFirst(viewer, selection, paging),
    ]);
    if (items.length === 0) return null;
    const shownIssues = items.filter(({ issueType }) => issueType === 'issue').length;
    const moreIssues = issues.all - shownIssues;
    const moreIncidents = incidents.all - (items.length - shownIssues);
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
        {moreIssues + moreIncidents > 0 && (
          <p class="border-border flex gap-4 border-t px-3 py-2">
            {moreIssues > 0 && (
              <a href={milestoneIssuesPath(context, milestone)}>
                {isCounted(issues) ? counted(moreIssues, 'more issue') : 'View all issues'}
              </a>
            )}
            {moreIncidents > 0 && (
              <a href={milestoneIssuesPath({ issues: context.incidents }, milestone)}>
                {isCounted(incidents)
                  ? counted(moreIncidents, 'more incident')
                  : 'View all incidents'}
              </a>
            )}
          </p>
        )}
      </Card>
    );
  }

  private async listOpenFirst(
    viewer: Viewer | null,
    selection: IssueSelection,
    paging: Paging,
  ): Promise<IssueRow[]> {
    const list = async (state: 'opened' | 'closed', count: number): Promise<IssueRow[]> => {
      const listing = { filters: { state }, paging: paging.latest(count) };
      return (await this.issues.list(viewer, selection, listing)).items;
    };
    const opened = await list('opened', MAX_SHOWN);
    const room = MAX_SHOWN - opened.length;
    return room > 0 ? [...opened, ...(await list('closed', room))] : opened;
  }
}

function isCounted({ opened, closed }: IssueCounts): boolean {
  return opened <= COUNTED_RECORDS && closed <= COUNTED_RECORDS;
}
