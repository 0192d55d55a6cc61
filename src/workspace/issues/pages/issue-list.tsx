import type { VNode } from 'preact';
import { TextParam } from '../../../core/params/params.decorator.js';
import { Badge, type Tone } from '../../../core/ui/components/content.js';
import { Icon } from '../../../core/ui/components/icon.js';
import { dateText } from '../../../core/ui/components/time.js';
import { Labels, type LabelsByName } from '../../labels/pages/label-chips.js';
import type { ListIssuesDto } from '../issue.dto.js';
import type { IssueSeverity, IssueType } from '../issue.entity.js';
import type { IssueRow } from '../sql/issue-list.js';
import { commonFilters, IssuableItem, IssuableQuery } from './issuable-list.js';
import { issuePath, type IssuePageContext } from './issue-page-context.js';

const STATES = ['opened', 'closed', 'all'] as const;

/** Sort orders of the lists: their label and their parameters. */
export const LIST_ORDERS = {
  created_desc: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
  created_asc: { label: 'Oldest', order_by: 'created_at', sort: 'asc' },
  updated_desc: { label: 'Recently updated', order_by: 'updated_at', sort: 'desc' },
  due_date_asc: { label: 'Due soonest', order_by: 'due_date', sort: 'asc' },
  title_asc: { label: 'Title', order_by: 'title', sort: 'asc' },
} as const;
type OrderName = keyof typeof LIST_ORDERS;
const ORDER_NAMES = Object.keys(LIST_ORDERS) as OrderName[];

/** Filters of the lists of issues and incidents, as their addresses have them. */
export class IssuesQuery extends IssuableQuery {
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  @TextParam({ values: ORDER_NAMES })
  order?: OrderName | null;
}

/** Returns the filters of the list of a type: incidents have one of their own. */
export function filtersOf(query: IssuesQuery, type: IssueType): ListIssuesDto {
  const { order_by, sort } = LIST_ORDERS[query.order ?? 'created_desc'];
  return {
    state: query.state ?? 'opened',
    order_by,
    sort,
    issue_type: type,
    ...commonFilters(query),
  };
}

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

const SEVERITIES: Record<IssueSeverity, { label: string; tone: Tone }> = {
  critical: { label: 'Critical', tone: 'critical' },
  high: { label: 'High', tone: 'orange' },
  medium: { label: 'Medium', tone: 'warning' },
  low: { label: 'Low', tone: 'info' },
  unknown: { label: 'Unknown', tone: 'neutral' },
};

/** Severity of an incident. */
function SeverityBadge({ severity }: Pick<IssueRow, 'severity'>): VNode {
  const { label, tone } = SEVERITIES[severity];
  return <Badge tone={tone}>{`${label} severity`}</Badge>;
}

/** Open or closed. */
export function StateBadge({ state }: Pick<IssueRow, 'state'>): VNode {
  const isOpen = state === 'opened';
  return (
    <Badge tone={isOpen ? 'success' : 'neutral'}>
      <Icon name={isOpen ? 'circle-dot' : 'circle-check'} /> {isOpen ? 'Open' : 'Closed'}
    </Badge>
  );
}

/** Badges of an issue: incident, confidential, locked. */
export function IssueMarks({ issue }: { issue: IssueRow }): VNode {
  return (
    <>
      {issue.issueType === 'incident' && (
        <>
          <Badge tone="warning">Incident</Badge>
          <SeverityBadge severity={issue.severity} />
        </>
      )}
      <AccessMarks issue={issue} />
    </>
  );
}

/** Badges of an issue that not everyone can read or comment. */
function AccessMarks({
  issue,
}: {
  issue: Pick<IssueRow, 'confidential' | 'discussionLocked'>;
}): VNode {
  return (
    <>
      {issue.confidential && <Badge tone="danger">Confidential</Badge>}
      {issue.discussionLocked && <Badge tone="neutral">Discussion locked</Badge>}
    </>
  );
}

/** Open or closed, as an icon before a title. */
export function StateIcon({ state }: Pick<IssueRow, 'state'>): VNode {
  const label = state === 'opened' ? 'Open' : 'Closed';
  return (
    <span class="state" data-state={state} title={label}>
      <Icon name={state === 'opened' ? 'circle-dot' : 'circle-check'} />
      <span class="sr-only">{label}</span>
    </span>
  );
}
