import type { VNode } from 'preact';
import { Badge } from '../../../core/ui/components/content.js';
import { ProgressBar } from '../../../core/ui/components/bars.js';
import type { MilestoneRow } from '../milestones.repository.js';
import type { MilestoneProgress } from '../milestones.repository.js';

/** Open, closed, or late. */
export function MilestoneState({ milestone }: { milestone: MilestoneRow }): VNode {
  if (milestone.state === 'closed') return <Badge>Closed</Badge>;
  if (milestone.expired) return <Badge tone="warning">Expired</Badge>;
  return <Badge tone="success">Open</Badge>;
}

/** When the work begins and when it is to be done, in a few words. */
export function datesOf({ startDate, dueDate }: MilestoneRow): string {
  if (startDate !== null && dueDate !== null) return `${startDate} to ${dueDate}`;
  if (dueDate !== null) return `Due ${dueDate}`;
  return startDate === null ? 'No dates' : `From ${startDate}`;
}

/** Completed share of the milestone's work. */
export function ProgressOf({ progress }: { progress: MilestoneProgress }): VNode {
  const { total, closed } = progress;
  const done = total === 0 ? 'No issues yet' : `${closed} of ${total} issues closed`;
  return (
    <div class="min-w-40 text-sm">
      <ProgressBar value={closed} max={Math.max(total, 1)} label={done} />
      <span class="text-muted-foreground">
        {total === 0 ? done : `${done} (${Math.floor((closed * 100) / total)} %)`}
      </span>
    </div>
  );
}
