import type { VNode } from 'preact';
import { Badge, type Tone } from '../../../core/ui/components/content.js';
import type { IssueRow } from '../sql/issue-list.js';
import type { IssueSeverity } from '../issue.entity.js';

const SEVERITIES: Record<IssueSeverity, { label: string; tone: Tone }> = {
  critical: { label: 'Critical', tone: 'danger' },
  high: { label: 'High', tone: 'warning' },
  medium: { label: 'Medium', tone: 'info' },
  low: { label: 'Low', tone: 'neutral' },
  unknown: { label: 'Unknown', tone: 'neutral' },
};

/** Severity of an incident. */
export function SeverityBadge({ severity }: Pick<IssueRow, 'severity'>): VNode {
  const { label, tone } = SEVERITIES[severity];
  return <Badge tone={tone}>{`${label} severity`}</Badge>;
}

/** Open or closed. */
export function StateBadge({ state }: Pick<IssueRow, 'state'>): VNode {
  return state === 'opened' ? <Badge tone="success">Open</Badge> : <Badge>Closed</Badge>;
}

/** Badges of an issue: incident, confidential, locked. */
export function IssueMarks({ issue }: { issue: IssueRow }): VNode {
  return (
    <>
      {issue.issueType === 'incident' && <Badge tone="warning">Incident</Badge>}
      {issue.issueType === 'incident' && <SeverityBadge severity={issue.severity} />}
      {issue.confidential && <Badge tone="danger">Confidential</Badge>}
      {issue.discussionLocked && <Badge tone="neutral">Discussion locked</Badge>}
    </>
  );
}

/** The labels of an issue, each leading to the others that bear it. */
export function Labels({ labels, list }: { labels: readonly string[]; list: string }): VNode {
  return (
    <span class="inline-flex flex-wrap gap-1.5">
      {labels.map((label) => (
        <a
          key={label}
          class="badge max-w-full no-underline hover:underline"
          data-tone="label"
          href={`${list}?${new URLSearchParams({ label }).toString()}`}
        >
          <span class="truncate">{label}</span>
        </a>
      ))}
    </span>
  );
}
