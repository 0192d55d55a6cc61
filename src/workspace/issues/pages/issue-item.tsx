import type { VNode } from 'preact';
import { dateText } from '../../../core/ui/components/time.js';
import { Labels, type LabelsByName } from '../../labels/pages/label-chips.js';
import type { IssueRow } from '../sql/issue-list.js';
import { IssuableItem } from './issuable-list.js';
import { AccessMarks, SeverityBadge, StateIcon } from './issue-badges.js';
import { IssueCheckbox } from './issue-bulk-pages.controller.js';
import { issuePath, type IssuePageContext } from './issue-page-context.js';

interface IssueItemProps {
  issue: IssueRow;
  context: IssuePageContext;
  /** Address of the list. */
  list: string;
  labels: LabelsByName;
  isSelectable?: boolean;
}

/** One issue of a list. */
export function IssueItem(props: IssueItemProps): VNode {
  const { issue, context, list, labels, isSelectable = false } = props;
  const { issueType, severity } = issue;
  return (
    <IssuableItem
      select={isSelectable ? <IssueCheckbox iid={issue.iid} /> : undefined}
      row={issue}
      href={issuePath(context, issue)}
      reference={`#${issue.iid}`}
      state={<StateIcon state={issue.state} />}
      marks={
        <>
          <AccessMarks issue={issue} />
          {issueType === 'incident' && <SeverityBadge severity={severity} />}
          <Labels names={issue.labels} known={labels} list={list} />
        </>
      }
      facts={issue.dueDate !== null && <span>{`Due ${dateText(issue.dueDate)}`}</span>}
    />
  );
}
