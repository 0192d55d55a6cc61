import type { TransactionRows } from '../../core/sql/sql.service.js';
import { severityNumber } from '../alert-values.js';
import type { TrackedAlert } from './tracked-alert.js';

/** An alert that the batch makes. */
type NewAlert = TrackedAlert & { origin: NonNullable<TrackedAlert['origin']> };

interface InsertedRow {
  id: number;
  iid: number;
  title: string;
  issueId: number | null;
}

/** Column of the statement's input, its type there, and its value. */
type Column = readonly [name: string, type: string, value: (alert: NewAlert) => unknown];

const COLUMNS: readonly Column[] = [
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['iid', 'bigint', ({ iid }) => iid],
  ['integration_id', 'bigint', ({ origin }) => origin.integrationId],
  ['environment', 'text', ({ origin }) => origin.alert.environmentName],
  ['title', 'text', ({ title }) => title],
  ['description', 'text', ({ origin }) => origin.alert.description],
  ['service', 'text', ({ origin }) => origin.alert.service],
  ['monitoring_tool', 'text', ({ origin }) => origin.alert.monitoringTool],
  ['severity', 'smallint', ({ origin }) => severityNumber(origin.alert.severity)],
  ['status', 'smallint', ({ status }) => status],
  ['fingerprint', 'bytea', ({ origin }) => origin.alert.fingerprint],
  ['hosts', 'text', ({ origin }) => arrayText(origin.alert.hosts)],
  ['runbook', 'text', ({ origin }) => origin.alert.runbook],
  ['query', 'text', ({ origin }) => origin.alert.query],
  ['y_label', 'text', ({ origin }) => origin.alert.yLabel],
  ['incident_markdown', 'text', ({ origin }) => origin.alert.incidentMarkdown],
  ['payload', 'text', ({ origin }) => origin.alert.payload],
  ['event_count', 'bigint', ({ events }) => events],
  ['started_at', 'timestamptz', ({ origin }) => origin.alert.startedAt.toISOString()],
  ['ended_at', 'timestamptz', ({ endedAt }) => endedAt?.toISOString() ?? null],
];

/** How a column of the input becomes one of the table, where it is not the same. */
const CONVERSIONS: Record<string, readonly [target: string, expression: string]> = {
  environment: [
    'environment_id',
    '(SELECT e.id FROM environments e WHERE e.project_id = n.project_id AND e.name = n.environment)',
  ],
  hosts: ['hosts', 'n.hosts::text[]'],
  payload: ['payload', 'n.payload::json'],
};

/**
 * An alert that somebody opened again since the batch looked counts the events instead. Whoever
 * inserts holds the lock of the project, so the numbers are its own.
 */
const INSERT_SQL = `
  WITH numbered AS (
    INSERT INTO alert_counters AS c (project_id, last_iid)
    SELECT project_id, last_iid FROM unnest($1::bigint[], $2::bigint[]) AS u (project_id, last_iid)
    ON CONFLICT (project_id) DO UPDATE SET last_iid = greatest(c.last_iid, excluded.last_iid)
  )
  INSERT INTO alerts AS a (${COLUMNS.map(([name]) => CONVERSIONS[name]?.[0] ?? name).join(', ')})
  SELECT ${COLUMNS.map(([name]) => CONVERSIONS[name]?.[1] ?? `n.${name}`).join(', ')}
  FROM unnest(${COLUMNS.map(([, type], at) => `$${at + 3}::${type}[]`).join(', ')})
    WITH ORDINALITY AS n (${COLUMNS.map(([name]) => name).join(', ')}, position)
  ORDER BY n.position
  ON CONFLICT (project_id, fingerprint) WHERE fingerprint IS NOT NULL AND status <> 2
  DO UPDATE SET event_count = a.event_count + excluded.event_count,
    last_event_at = excluded.last_event_at
  RETURNING id, iid, title, issue_id AS "issueId"`;

/**
 * Inserts the new alerts and gives them their ids. One that turns out to be open already takes its
 * place: it was not logged anew.
 */
export async function insertAlerts(
  rows: TransactionRows,
  tracked: readonly TrackedAlert[],
  lastIids: ReadonlyMap<number, number>,
): Promise<void> {
  const made = tracked.filter((alert): alert is NewAlert => alert.origin !== null);
  if (made.length === 0) return;
  const inserted = await rows<InsertedRow>(INSERT_SQL, [
    [...lastIids.keys()],
    [...lastIids.values()],
    ...COLUMNS.map(([, , value]) => made.map(value)),
  ]);
  for (const [at, { id, iid, title, issueId }] of inserted.entries()) {
    const alert = made[at] as TrackedAlert;
    if (alert.iid !== iid) {
      alert.origin = null;
      alert.notes = [];
      if (issueId !== null) alert.opensIncident = false;
    }
    Object.assign(alert, { id, iid, title, issueId });
  }
}

/** An array as PostgreSQL spells it: an array of such texts may hold lists of any length. */
function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}
