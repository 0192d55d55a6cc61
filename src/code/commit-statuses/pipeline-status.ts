import type { CommitState } from '../repository/commit-states.js';

/** A state that statuses of a pipeline have. */
export interface CountedState {
  state: CommitState;
  allowFailure: boolean;
}

/** Without anything that runs or waits, the first of these that a status has is the pipeline's. */
const ENDS = ['failed', 'canceled', 'success'] as const;

/** Status of a pipeline by those of its statuses that count: it runs until all have ended. */
export function pipelineStatus(states: readonly CountedState[]): CommitState {
  const found = new Set(states.map(endedState));
  const hasBegun = ENDS.some((end) => found.has(end));
  if (found.has('running') || (found.has('pending') && hasBegun)) return 'running';
  if (found.has('pending')) return 'pending';
  return ENDS.find((end) => found.has(end)) ?? 'skipped';
}

/** Allowed failures count as success. */
function endedState({ state, allowFailure }: CountedState): CommitState {
  return state === 'failed' && allowFailure ? 'success' : state;
}
