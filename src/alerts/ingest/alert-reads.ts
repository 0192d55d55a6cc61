import type { TransactionRows } from '../../core/sql/sql.service.js';
import { matchKey, type AlertEvent } from './alert-states.js';
import type { OpenAlert, ProjectRules } from './tracked-alert.js';

/** What is stored about the alerts of a batch. */
export interface StoredStates {
  open: Map<string, OpenAlert>;
  rules: Map<number, ProjectRules>;
}

interface StateRow {
  position: number;
  createIssue: boolean;
  sendEmail: boolean;
  autoCloseIncident: boolean;
  lastIid: number;
  id: number | null;
  iid: number;
  title: string;
  status: number;
  issueId: number | null;
}

/**
 * For each project and fingerprint the project's rules and, locked, the alert that is open. LIMIT
 * keeps the planner from joining whole tables; `+ 0` from reading all alerts of the project by an
 * index that begins with it, which costs as little as any other while the table is new.
 */
const STATES_SQL = `
  SELECT k.position::int AS position,
    coalesce(s.create_issue, false) AS "createIssue", coalesce(s.send_email, false) AS "sendEmail",
    coalesce(s.auto_close_incident, true) AS "autoCloseIncident",
    coalesce(c.last_iid, 0) AS "lastIid",
    a.id, a.iid, a.title, a.status, a.issue_id AS "issueId"
  FROM unnest($1::bigint[], $2::bytea[]) WITH ORDINALITY AS k (project_id, fingerprint, position)
  LEFT JOIN alert_settings s ON s.project_id = k.project_id
  LEFT JOIN alert_counters c ON c.project_id = k.project_id
  LEFT JOIN LATERAL (
    SELECT id, iid, title, status, issue_id FROM alerts
    WHERE fingerprint = k.fingerprint AND project_id + 0 = k.project_id
      AND fingerprint IS NOT NULL AND status <> 2
    LIMIT 1 FOR NO KEY UPDATE
  ) a ON true`;

/**
 * Reads and locks what the events may change. The projects must be locked by a statement before:
 * otherwise this one does not see what those who had the lock have written.
 */
export async function readStates(
  rows: TransactionRows,
  events: readonly AlertEvent[],
): Promise<StoredStates> {
  const wanted = wantedKeys(events);
  const found = await rows<StateRow>(STATES_SQL, [
    wanted.map(({ projectId }) => projectId),
    wanted.map(({ fingerprint }) => fingerprint),
  ]);
  const states: StoredStates = { open: new Map(), rules: new Map() };
  for (const { position, id, ...row } of found) {
    const { projectId, fingerprint } = wanted[position - 1] as Wanted;
    const { iid, title, status, issueId, ...rules } = row;
    states.rules.set(projectId, rules);
    const key = matchKey(projectId, fingerprint);
    if (id !== null) states.open.set(key, { id, iid, title, status, issueId });
  }
  return states;
}

interface Wanted {
  projectId: number;
  fingerprint: Buffer;
}

/** Returns the distinct pairs of project and fingerprint. */
function wantedKeys(events: readonly AlertEvent[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { source, alert } of events) {
    const { projectId } = source;
    const { fingerprint } = alert;
    const key = matchKey(projectId, fingerprint);
    if (!wanted.has(key)) wanted.set(key, { projectId, fingerprint });
  }
  return [...wanted.values()];
}
