import type { TransactionRows } from '../../core/sql/sql.service.js';
import { ERROR_OUTCOMES, type ErrorOutcomeKind } from '../error-values.js';

/** How many of a project came to the same end on a day. */
export interface OutcomeRow {
  projectId: number;
  /** UTC, `YYYY-MM-DD`. */
  day: string;
  kind: ErrorOutcomeKind;
  category: string;
  reason: string;
  quantity: number;
}

/** In the order of the key: who adds to common rows never waits crosswise. */
const ADD_SQL = `
  INSERT INTO error_outcomes (project_id, day, outcome, category, reason, quantity)
  SELECT n.project_id, n.day, n.outcome, n.category, n.reason, n.quantity
  FROM unnest($1::bigint[], $2::date[], $3::smallint[], $4::text[], $5::text[], $6::bigint[])
      AS n (project_id, day, outcome, category, reason, quantity)
    JOIN projects p ON p.id = n.project_id
  ORDER BY n.project_id, n.day, n.outcome, n.category, n.reason
  ON CONFLICT (project_id, day, outcome, category, reason)
    DO UPDATE SET quantity = error_outcomes.quantity + excluded.quantity`;

/** Adds to the counters; each key comes once. Projects that are gone are left out. */
export async function addOutcomes(
  rows: TransactionRows,
  outcomes: readonly OutcomeRow[],
): Promise<void> {
  await rows(ADD_SQL, [
    outcomes.map(({ projectId }) => projectId),
    outcomes.map(({ day }) => day),
    outcomes.map(({ kind }) => ERROR_OUTCOMES.indexOf(kind)),
    outcomes.map(({ category }) => category),
    outcomes.map(({ reason }) => reason),
    outcomes.map(({ quantity }) => quantity),
  ]);
}
