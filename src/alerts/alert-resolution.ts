import { writeSystemNotes, type RunStatement } from '../notes/system-notes.js';
import { STATUS } from './alert-values.js';

/** An alert that was resolved just now. */
export interface ResolvedAlert {
  id: number;
  iid: number;
  projectId: number;
  /** Its incident. */
  issueId: number | null;
}

interface Resolution {
  alertIds: readonly number[];
  endedAt: Date;
  authorId: number;
  /** Markdown of the system notes about it, in their order. */
  notes: (alert: ResolvedAlert) => string[];
}

/**
 * Rows are locked in the order of ids, so that two transactions never wait for each other. A
 * SELECT at the outside: `EntityManager.query` answers in another form after an UPDATE.
 */
const RESOLVE_SQL = `
  WITH open AS (
    SELECT id FROM alerts WHERE id = ANY($1::bigint[]) AND status <> ${STATUS.resolved}
    ORDER BY id FOR NO KEY UPDATE
  ), resolved AS (
    UPDATE alerts a SET status = ${STATUS.resolved}, ended_at = $2, updated_at = now()
    FROM open WHERE a.id = open.id
    RETURNING a.id, a.iid, a.project_id, a.issue_id
  )
  SELECT id, iid, project_id AS "projectId", issue_id AS "issueId" FROM resolved ORDER BY id`;

/** Resolves those of the alerts that are not resolved yet, notes it beneath them, answers them. */
export async function resolveAlerts(
  run: RunStatement,
  { alertIds, endedAt, authorId, notes }: Resolution,
): Promise<ResolvedAlert[]> {
  if (alertIds.length === 0) return [];
  const resolved = (await run(RESOLVE_SQL, [alertIds, endedAt])) as ResolvedAlert[];
  const written = resolved.flatMap((alert) =>
    notes(alert).map((body) => ({ alertId: alert.id, authorId, body })),
  );
  await writeSystemNotes(run, written);
  return resolved;
}
