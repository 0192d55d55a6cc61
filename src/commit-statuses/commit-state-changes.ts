import type { CommitState } from '../code/commit-states.js';

/** How a status that is still open goes on; `created` = it has just been made. */
type OpenState = 'created' | 'pending' | 'running';

/** From what a report of each state can follow, and what v4 calls the step. */
const STEPS: Record<CommitState, { event: string; from: readonly OpenState[] }> = {
  pending: { event: 'enqueue', from: ['created'] },
  running: { event: 'run', from: ['created', 'pending'] },
  success: { event: 'success', from: ['created', 'pending', 'running'] },
  failed: { event: 'drop', from: ['created', 'pending', 'running'] },
  canceled: { event: 'cancel', from: ['created', 'pending', 'running'] },
  skipped: { event: 'skip', from: ['created', 'pending'] },
};

/** Whether nothing follows a state: the next report under the name is a new status. */
export function isFinished(state: CommitState): boolean {
  return state !== 'pending' && state !== 'running';
}

/**
 * What is wrong with a report that finds the status in `from`, in v4's words, by which reporters
 * know that the state was on record already; null when it can follow.
 */
export function changeProblem(from: OpenState, to: CommitState): string | null {
  const { event, from: allowed } = STEPS[to];
  if (allowed.includes(from)) return null;
  return `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`;
}
