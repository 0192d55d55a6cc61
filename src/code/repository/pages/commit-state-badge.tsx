import type { VNode } from 'preact';
import { Badge, type Tone } from '../../../core/ui/components/content.js';
import type { CommitState } from '../commit-states.js';

const LOOKS: Readonly<Record<CommitState, { label: string; tone: Tone }>> = {
  pending: { label: 'Pending', tone: 'neutral' },
  running: { label: 'Running', tone: 'info' },
  success: { label: 'Passed', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  canceled: { label: 'Canceled', tone: 'warning' },
  skipped: { label: 'Skipped', tone: 'neutral' },
};

/** State of a commit in external CI, as a word. */
export function CommitStateBadge({ state }: { state: CommitState }): VNode {
  const { label, tone } = LOOKS[state];
  return <Badge tone={tone}>{label}</Badge>;
}
