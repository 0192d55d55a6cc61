import type { VNode } from 'preact';
import { bytesText, durationText } from '../../core/ui/amounts.js';
import { ProgressBar } from '../../core/ui/components/bars.js';
import { Badge } from '../../core/ui/components/content.js';
import { PostButton } from '../../core/ui/components/form.js';
import { isCancellable, STATES, type ShownMove } from './shown-move.js';

/** The state of a move in a word. */
export function MoveBadge({ move }: { move: ShownMove }): VNode {
  const { label, tone } = STATES[move.state];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Progress of a move, or the reason for its end. */
export function MoveProgress({ move }: { move: ShownMove }): VNode {
  const { state, error_message: reason } = move;
  if (state === 'scheduled') return <>{waitingText(move)}</>;
  if (state === 'started' || state === 'replicated') return <Running move={move} />;
  if (reason !== null) return <span class="break-words">{reason}</span>;
  return <>{finishedText(move)}</>;
}

function waitingText({ position, attempts }: ShownMove): string {
  const place = position === null ? 'Waiting' : `Number ${position} in the queue`;
  return attempts > 0 ? `${place}, tried ${attempts} times` : place;
}

function Running({ move }: { move: ShownMove }): VNode {
  const { kind, id, phase, bytes_total: total, bytes_copied: copied } = move;
  const label = `Progress of the move of ${kind} ${move.container.label}, number ${id}`;
  return (
    <div class="grid min-w-40 gap-1">
      {total === null || phase !== 'copying' ? (
        <ProgressBar max={1} label={label} {...doneOf(move)} />
      ) : (
        <ProgressBar value={Math.min(copied, total)} max={Math.max(1, total)} label={label} />
      )}
      <span class="text-muted-foreground">{runningText(move)}</span>
    </div>
  );
}

/** Full after the copy; indeterminate before it. */
function doneOf({ phase }: ShownMove): { value?: number } {
  return ['verifying', 'publishing', 'switching', 'cleaning', 'done'].includes(phase)
    ? { value: 1 }
    : {};
}

function runningText({ phase, bytes_total: total, ...move }: ShownMove): string {
  if (phase !== 'copying' || total === null) return PHASES[phase];
  const amount = `${bytesText(move.bytes_copied)} of ${bytesText(total)}`;
  return move.eta_seconds === null ? amount : `${amount}, ${durationText(move.eta_seconds)} left`;
}

const PHASES: Record<ShownMove['phase'], string> = {
  queued: 'About to begin',
  preflight: 'Looking at the repository',
  draining: 'Waiting for pushes to end',
  copying: 'Copying',
  verifying: 'Comparing the copy',
  publishing: 'Putting the copy in place',
  switching: 'Switching storages',
  cleaning: 'Removing the original',
  done: 'Done',
};

function finishedText(move: ShownMove): string {
  if (move.bytes_total === null) return 'Nothing to copy';
  return `${bytesText(move.bytes_total)}, read-only for ${durationText(move.read_only_seconds)}`;
}

/** Actions on a move. */
export function MoveButtons({ move, csrfToken }: { move: ShownMove; csrfToken: string }) {
  const path = `/admin/storage_moves/${move.kind}/${move.id}`;
  if (isCancellable(move)) {
    return (
      <PostButton action={`${path}/cancel`} csrfToken={csrfToken} size="small">
        Cancel<span class="sr-only"> move {move.id}</span>
      </PostButton>
    );
  }
  if (move.state !== 'failed') return null;
  return (
    <PostButton action={`${path}/retry`} csrfToken={csrfToken} size="small">
      Retry<span class="sr-only"> move {move.id}</span>
    </PostButton>
  );
}
