import type { VNode } from 'preact';
import { Icon } from '../../../core/ui/components/icon.js';
import { Badge, type Tone } from '../../../core/ui/components/content.js';
import type { IssueRow } from '../sql/issue-list.js';
import type { IssueSeverity } from '../issue.entity.js';

const SEVERITIES: Record<IssueSeverity, { label: string; tone: Tone }> = {
  critical: { label: 'Critical', tone: 'critical' },
  high: { label: 'High', tone: 'orange' },
  medium: { label: 'Medium', tone: 'warning' },
  low: { label: 'Low', tone: 'info' },
  unknown: { label: 'Unknown', tone: 'neutral' },
};

/** Severity of an incident. */
export function SeverityBadge({ severity }: Pick<IssueRow, 'severity'>): VNode {
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
      {issue.issueType === 'incident' && <Badge tone="warning">Incident</Badge>}
      {issue.issueType === 'incident' && <SeverityBadge severity={issue.severity} />}
      <AccessMarks issue={issue} />
    </>
  );
}

/** Badges of an issue that not everyone can read or comment. */
export function AccessMarks({
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
