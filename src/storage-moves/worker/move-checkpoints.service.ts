import { Injectable } from '@nestjs/common';
import { ENGINE_FAILPOINTS, failpoint } from '../engine/failpoints.js';

/** Every boundary between the database and the disks where a fault test may stop a worker. */
export const MOVE_FAILPOINTS = [
  'feed.before-commit',
  'feed.after-commit',
  'claim.before-commit',
  'claim.after-commit',
  'attempt.before-leftovers',
  'attempt.after-leftovers',
  'attempt.after-drain',
  'attempt.after-space',
  'repository.after-copy',
  'repository.after-verify',
  'repository.after-publish',
  'switch.before',
  'switch.after',
  'clean-up.before-trash',
  'clean-up.after-trash',
  'clean-up.after-finish',
  'failure.before-removal',
  'failure.after-removal',
  'failure.after-write',
  'janitor.after-claim',
  'janitor.after-delete',
] as const;
export type MoveFailpoint = (typeof MOVE_FAILPOINTS)[number];

/** All names that GUILDHALL_FAILPOINT may have. */
export const ALL_FAILPOINTS: readonly string[] = [...MOVE_FAILPOINTS, ...ENGINE_FAILPOINTS];

/** Passes the failpoints of a move; injected, so that a test can hold a single move in its own process. */
@Injectable()
export class MoveCheckpoints {
  reach(name: MoveFailpoint, _move?: { kind: string; id: number }): Promise<void> {
    return failpoint(name);
  }
}
