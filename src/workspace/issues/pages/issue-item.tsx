import type { VNode } from 'preact';
import { counted } from '../../../core/ui/amounts.js';
import { Item } from '../../../core/ui/components/item-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { IssueRow } from '../sql/issue-columns.js';
import { IssueMarks, Labels, StateBadge } from './issue-badges.js';
import { issuePath, type IssuePageContext } from './issue-page-context.js';

interface IssueItemProps {
  issue: IssueRow;
  place: IssuePageContext;
  /** Address of the list that it stands in. */
  list: string;
}

/** One issue of a list. */
export function IssueItem({ issue, place, list }: IssueItemProps): VNode {
  const title = (
    <>
      <a class="prose-link wrap-anywhere" href={issuePath(place, issue)}>
        {issue.title}
      </a>
      <StateBadge state={issue.state} />
      <IssueMarks issue={issue} />
      <Labels labels={issue.labels} list={list} />
    </>
  );
  return (
    <Item title={title}>
      {`#${issue.iid} · opened `}
      <Time value={issue.createdAt} />
      {' by '}
      <a class="prose-link" href={`/${issue.author.username}`}>
        {issue.author.name}
      </a>
      {issue.milestone !== null && ` · milestone ${issue.milestone.title}`}
      {issue.dueDate !== null && ` · due ${issue.dueDate}`}
      {issue.assignees.length > 0 && ` · assigned to ${namesOf(issue)}`}
      {issue.userNotesCount > 0 && ` · ${counted(issue.userNotesCount, 'comment')}`}
    </Item>
  );
}

function namesOf({ assignees }: IssueRow): string {
  return new Intl.ListFormat('en').format(assignees.map(({ name }) => name));
}
