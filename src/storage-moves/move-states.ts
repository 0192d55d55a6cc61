export const MOVE_STATES = [
  'initial',
  'scheduled',
  'started',
  'replicated',
  'finished',
  'failed',
  'cleanup failed',
] as const;
export type MoveState = (typeof MOVE_STATES)[number];

/** Where a running move stands; finer than its state, for people who watch. */
export const MOVE_PHASES = [
  'queued',
  'preflight',
  'draining',
  'copying',
  'verifying',
  'publishing',
  'switching',
  'cleaning',
  'done',
] as const;
export type MovePhase = (typeof MOVE_PHASES)[number];

/** Kinds of containers whose repositories move; each has endpoints and a table of its own. */
export const MOVE_KINDS = ['project', 'snippet', 'group'] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];
