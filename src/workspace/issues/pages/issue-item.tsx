import type { VNode } from 'preact';
import { dateText } from '../../../core/ui/components/time.js';
import { Labels, type LabelsByName } from '../../labels/pages/label-chips.js';
import type { IssueRow } from '../sql/issue-list.js';
import { IssuableItem } from './issuable-list.js';
import { AccessMarks, SeverityBadge, StateIcon } from './issue-badges.js';
import { issuePath, type IssuePageContext } from './issue-page-context.js';

/** The form that changes the selected issues of a list. */
export const BULK_FORM = 'bulk-issues';

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

/** Selects an issue of the list for the form. */
function IssueCheckbox({ iid }: { iid: number }): VNode {
  return (
    <input
      id={`select-${iid}`}
      type="checkbox"
      form={BULK_FORM}
      name="iids[]"
      value={iid}
      aria-label={`Select issue ${iid}`}
    />
  );
}
