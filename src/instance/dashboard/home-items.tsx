import type { VNode } from 'preact';
import { severityOf, statusOf } from '../../alerts/alert-values.js';
import { SeverityBadge, StatusBadge } from '../../alerts/pages/alert-status.js';
import { MergeRequestMarks } from '../../code/merge-requests/pages/merge-request-frame.js';
import type { MergeRequestRow } from '../../code/merge-requests/sql/merge-requests.js';
import { counted } from '../../core/ui/amounts.js';
import { Badge } from '../../core/ui/components/content.js';
import { Icon } from '../../core/ui/components/icon.js';
import { WorkItem, ProjectReference } from '../../core/ui/components/work-item.js';
import { errorTitle } from '../../error-tracking/errors/error-group.js';
import type { IssueRow } from '../../workspace/issues/sql/issue-list.js';
import type { HomeAlert, HomeError } from './home.repository.js';

/** A merge request of any project. */
export function ReviewItem({ row }: { row: MergeRequestRow }): VNode {
  return (
    <WorkItem
      mark={<Icon name="git-pull-request" />}
      title={row.title}
      href={`/${row.projectFullPath}/-/merge_requests/${row.iid}`}
      badges={<MergeRequestMarks row={row} />}
      time={row.updatedAt}
    >
      <ProjectReference path={row.projectFullPath} reference={`!${row.iid}`} />
      {` by ${row.author.name}`}
    </WorkItem>
  );
}

/** An issue or incident of any project. */
export function IssueItem({ row }: { row: IssueRow }): VNode {
  return (
    <WorkItem
      mark={<Icon name={row.issueType === 'incident' ? 'siren' : 'circle-dot'} />}
      title={row.title}
      href={`/${row.projectFullPath}/-/issues/${row.iid}`}
      time={row.updatedAt}
    >
      <ProjectReference path={row.projectFullPath} reference={`#${row.iid}`} />
      {row.dueDate !== null && ` · due ${row.dueDate}`}
    </WorkItem>
  );
}

/** An alert of any project. */
export function AlertItem({ alert }: { alert: HomeAlert }): VNode {
  const { fullPath, iid, title } = alert;
  const status = statusOf(alert.status);
  return (
    <WorkItem
      mark={<Icon name="bell-ring" />}
      title={title}
      href={`/${fullPath}/-/alert_management/${iid}/details`}
      badges={
        <>
          <SeverityBadge severity={severityOf(alert.severity)} />
          {status === 'acknowledged' && <StatusBadge status={status} />}
        </>
      }
      time={alert.startedAt}
    >
      <ProjectReference path={fullPath} />
    </WorkItem>
  );
}

/** An error of any project. */
export function ErrorItem({ error }: { error: HomeError }): VNode {
  const { fullPath, id } = error;
  return (
    <WorkItem
      mark={<Icon name="bug" />}
      title={errorTitle(error)}
      href={`/${fullPath}/-/error_tracking/${id}/details`}
      badges={error.regressed && <Badge tone="warning">Regressed</Badge>}
      time={error.lastSeenAt}
    >
      <ProjectReference path={fullPath} />
      {` · ${counted(error.eventsCount, 'event')}`}
    </WorkItem>
  );
}
