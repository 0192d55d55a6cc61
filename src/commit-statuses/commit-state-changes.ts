import type { CommitState } from '../code/commit-states.js';

/** States of an open status; `created` is the state of a new one. */
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

/** Returns true for final states: the next report under the name creates a new status. */
export function isFinished(state: CommitState): boolean {
  return state !== 'pending' && state !== 'running';
}

/**
 * Returns the problem with a report for a status in `from`, or null. The words are those of v4, by
 * which reporters recognize a state that is recorded already.
 */
export function changeProblem(from: OpenState, to: CommitState): string | null {
  const { event, from: allowed } = STEPS[to];
  if (allowed.includes(from)) return null;
  return `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`;
}
