/** Words for how far a job is, as v4 clients know them; the last six never occur here. */
export const JOB_STATUSES = [
  'created',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'waiting_for_resource',
  'preparing',
  'canceling',
  'manual',
  'scheduled',
] as const;
export type JobScope = (typeof JOB_STATUSES)[number];

/** Those that a job of ours can have. */
export type JobStatus = 'created' | 'pending' | 'running' | 'success' | 'failed' | 'canceled';

/** State of a storage move → word of its job. A failed move that somebody cancelled is `canceled`. */
const STATUS_OF_MOVE: Record<string, JobStatus> = {
  initial: 'created',
  scheduled: 'pending',
  started: 'running',
  replicated: 'running',
  finished: 'success',
  failed: 'failed',
  'cleanup failed': 'failed',
};

/** SQL for the word, of a row of moves named `m`. */
export const MOVE_STATUS_SQL = `CASE
  WHEN m.state = 'failed' AND m.cancelled_by IS NOT NULL THEN 'canceled'
  ${Object.entries(STATUS_OF_MOVE)
    .map(([state, status]) => `WHEN m.state = '${state}' THEN '${status}'`)
    .join(' ')}
END`;

/** SQL for why the job failed, of a row of moves named `m`: nothing that tells of the storages. */
export const MOVE_FAILURE_SQL = `CASE
  WHEN m.state = 'failed' AND m.cancelled_by IS NULL THEN 'move_failed'
  WHEN m.state = 'cleanup failed' THEN 'cleanup_failed'
END`;
