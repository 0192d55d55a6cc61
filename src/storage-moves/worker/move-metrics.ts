import { processCounter, processHistogram } from '../../core/metrics/metrics-registry.js';
import type { ActiveMove } from './active-move.js';
import type { MoveOutcome } from './repository-move.service.js';

export const copiedBytes = processCounter({
  name: 'guildhall_storage_move_copied_bytes_total',
  help: 'Bytes that storage moves copied, including attempts that failed later',
});

export const phaseDurations = processHistogram({
  name: 'guildhall_storage_move_phase_duration_seconds',
  help: 'Durations of the phases of storage moves',
  labelNames: ['phase'],
  buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3_600],
});

const attempts = processCounter({
  name: 'guildhall_storage_move_attempts_total',
  help: 'Attempts of storage moves by outcome: finished, failed, retried, or stopped without a failure',
  labelNames: ['kind', 'outcome'],
});

/**
 * Records the end of an attempt and returns its outcome; null for one that was cancelled, handed back
 * or lost its lease.
 */
export function recordEnd(
  move: ActiveMove,
  end: 'finished' | MoveOutcome | null,
): MoveOutcome | null {
  move.measurePhase();
  attempts.inc({ kind: move.lease.kind, outcome: outcomeOf(end) });
  return end === 'finished' ? null : end;
}

function outcomeOf(end: 'finished' | MoveOutcome | null): string {
  if (end === 'finished') return end;
  if (end === null) return 'stopped';
  return end.retryAfter === undefined ? 'failed' : 'retried';
}
