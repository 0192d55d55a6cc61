import type { VNode } from 'preact';
import { Badge } from '../../core/ui/components/content.js';
import { isDraft } from '../drafts.js';
import type { MergeRequestRow } from '../sql/merge-request-columns.js';

/** Open, closed or merged. */
export function StateBadge({ state }: Pick<MergeRequestRow, 'state'>): VNode {
  if (state === 'opened') return <Badge tone="success">Open</Badge>;
  return state === 'merged' ? <Badge tone="info">Merged</Badge> : <Badge>Closed</Badge>;
}

/** Badges of a merge request: draft, locked. */
export function MergeRequestMarks({ row }: { row: MergeRequestRow }): VNode {
  return (
    <>
      {isDraft(row.title) && <Badge tone="warning">Draft</Badge>}
      {row.discussionLocked && <Badge>Discussion locked</Badge>}
    </>
  );
}

interface BranchNameProps {
  name: string;
  /** Address of its files; null for a branch that may be gone. */
  href: string | null;
}

/** The name of a branch, set apart from the text around it. */
export function BranchName({ name, href }: BranchNameProps): VNode {
  const look = 'bg-muted text-foreground rounded px-1.5 py-0.5 font-mono break-all';
  if (href === null) return <span class={look}>{name}</span>;
  return (
    <a class={`${look} hover:underline`} href={href}>
      {name}
    </a>
  );
}
