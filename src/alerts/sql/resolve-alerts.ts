import { STATUS } from '../alert-values.js';

/** Alerts that one transaction resolves after silence. */
export const RESOLVED_AT_ONCE = 500;

/** Skips locked alerts: an alert that is being updated is not inactive. */
export const LOCK_SILENT_SQL = `
  SELECT a.id, s.auto_resolve_hours AS hours FROM alert_settings s
  JOIN alerts a ON a.project_id = s.project_id
  JOIN projects p ON p.id = s.project_id
  WHERE s.auto_resolve_hours IS NOT NULL AND NOT p.pending_delete
    AND a.status IN (${STATUS.triggered}, ${STATUS.acknowledged})
    AND a.last_event_at < $1::timestamptz - s.auto_resolve_hours * interval '1 hour'
  LIMIT ${RESOLVED_AT_ONCE} FOR NO KEY UPDATE OF a SKIP LOCKED`;

/**
 * Rows are locked in the order of ids, so that two transactions never wait for each other. A
 * SELECT at the outside: `EntityManager.query` answers in another form after an UPDATE.
 */
export const RESOLVE_SQL = `
  WITH open AS (
    SELECT id FROM alerts WHERE id = ANY($1::bigint[]) AND status <> ${STATUS.resolved}
    ORDER BY id FOR NO KEY UPDATE
  ), resolved AS (
    UPDATE alerts a SET status = ${STATUS.resolved}, ended_at = $2, updated_at = now()
    FROM open WHERE a.id = open.id
    RETURNING a.id, a.iid, a.project_id, a.issue_id
  ), finished AS (
    UPDATE todos t SET done_at = now(), updated_at = now()
    FROM resolved WHERE t.alert_id = resolved.id AND t.done_at IS NULL
  )
  SELECT id, iid, project_id AS "projectId", issue_id AS "issueId" FROM resolved ORDER BY id`;
