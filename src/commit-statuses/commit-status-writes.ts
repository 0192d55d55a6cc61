import type { EntityManager } from 'typeorm';
import type { CommitState } from '../code/commit-states.js';
import { ApiError } from '../core/errors.js';
import { changeProblem, isFinished } from './commit-state-changes.js';
import type { ReportCommitStatusDto } from './dto/report-commit-status.dto.js';

/** A report whose attributes are checked, and whose it is. */
export interface StatusReport {
  dto: ReportCommitStatusDto;
  name: string;
  userId: number;
}

interface CurrentStatus {
  id: number;
  state: CommitState;
}

const CURRENT_SQL = `
  SELECT id, state FROM commit_statuses WHERE pipeline_id = $1 AND name = $2 AND NOT retried`;

const RETRY_SQL = 'UPDATE commit_statuses SET retried = true WHERE id = $1';

const STARTED = `CASE WHEN $2 = 'running' THEN now() END`;
const FINISHED = `CASE WHEN $2 NOT IN ('pending', 'running') THEN now() END`;

const CHANGE_SQL = `
  UPDATE commit_statuses SET state = $2, target_url = coalesce($3, target_url),
    description = coalesce($4, description), coverage = coalesce($5, coverage),
    allow_failure = coalesce($6, allow_failure),
    started_at = coalesce(started_at, ${STARTED}), finished_at = ${FINISHED}
  WHERE id = $1`;

const MAKE_SQL = `
  INSERT INTO commit_statuses (pipeline_id, state, target_url, description, coverage,
    allow_failure, name, user_id, started_at, finished_at)
  VALUES ($1, $2, $3, $4, $5, coalesce($6, false), $7, $8, ${STARTED}, ${FINISHED})
  RETURNING id`;

/**
 * Writes a report into a pipeline whose commit is locked: what waits or runs under its name goes
 * on, what has ended is replaced by a new status. Answers the status' id; throws 400 for a state
 * that cannot follow.
 */
export async function writeStatus(
  tx: EntityManager,
  pipelineId: number,
  report: StatusReport,
): Promise<number> {
  const { dto, name, userId } = report;
  const [current] = await tx.query<CurrentStatus[]>(CURRENT_SQL, [pipelineId, name]);
  const open = current !== undefined && !isFinished(current.state) ? current : null;
  const problem = changeProblem(openStateOf(open), dto.state);
  if (problem !== null) throw new ApiError(400, { message: problem });
  const { target_url: url, description, coverage, allow_failure: isAllowed } = dto;
  const values = [dto.state, url || null, description || null, coverage ?? null, isAllowed ?? null];
  if (open !== null) {
    await tx.query(CHANGE_SQL, [open.id, ...values]);
    return open.id;
  }
  if (current !== undefined) await tx.query(RETRY_SQL, [current.id]);
  const [made] = await tx.query<{ id: number }[]>(MAKE_SQL, [pipelineId, ...values, name, userId]);
  if (made === undefined) throw new Error('A status was not made');
  return made.id;
}

function openStateOf(open: CurrentStatus | null): 'created' | 'pending' | 'running' {
  if (open === null) return 'created';
  return open.state === 'running' ? 'running' : 'pending';
}
