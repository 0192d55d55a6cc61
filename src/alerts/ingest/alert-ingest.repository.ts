import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { arrayText, InputColumns } from '../../core/ingest/ingest-queue.js';
import type { TransactionRows } from '../../core/sql/sql.service.js';
import { severityNumber } from '../alert-values.js';
import { TREND_HOURS } from '../event-trend.js';
import { severityNameSql, silencedSql } from '../sql/silenced.js';
import { Alert } from '../alert.entity.js';
import type { EventKey, OpenAlert, ProjectRules, TrackedAlert } from './alert-states.js';

/** An alert that a batch inserts. */
export type NewAlert = TrackedAlert & { origin: NonNullable<TrackedAlert['origin']> };

/** Of the open alert, or else of the alert that the first event of the key makes. */
const SILENCED_SQL = silencedSql({
  project: 'k.project_id',
  title: 'coalesce(a.title, k.title)',
  environment: 'e.name',
  severity: severityNameSql('coalesce(a.severity, k.severity)'),
  fingerprint: `encode(k.fingerprint, 'hex')`,
});

/**
 * For each project and fingerprint the project's rules and, locked, the alert that is open. LIMIT
 * keeps the planner from joining whole tables; `+ 0` from reading all alerts of the project by an
 * index that begins with it, whose estimated cost is as low while the table has no statistics. The
 * environment is looked up once for each key, by an index either way.
 */
const LOCK_OPEN_SQL = `
  SELECT k.position::int AS position,
    coalesce(s.create_issue, false) AS "createIssue", coalesce(s.send_email, false) AS "sendEmail",
    coalesce(s.auto_close_incident, true) AS "autoCloseIncident",
    coalesce(c.last_iid, 0) AS "lastIid",
    a.id, a.iid, a.title, a.status, a.issue_id AS "issueId", ${SILENCED_SQL} AS "isSilenced",
    CASE WHEN a.id IS NULL THEN nextval(pg_get_serial_sequence('alerts', 'id')) END AS "newId"
  FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::smallint[], $6::boolean[])
    WITH ORDINALITY
    AS k (project_id, fingerprint, title, environment, severity, is_successor, position)
  LEFT JOIN alert_settings s ON s.project_id = k.project_id
  LEFT JOIN alert_counters c ON c.project_id = k.project_id
  LEFT JOIN LATERAL (
    SELECT id, iid, title, status, issue_id, environment_id, severity FROM alerts
    WHERE NOT k.is_successor AND fingerprint = k.fingerprint AND project_id + 0 = k.project_id
      AND fingerprint IS NOT NULL AND status <> 2
    LIMIT 1 FOR NO KEY UPDATE
  ) a ON true
  LEFT JOIN LATERAL (
    SELECT name FROM environments
    WHERE a.id IS NOT NULL AND id = a.environment_id AND project_id = k.project_id
    UNION ALL
    SELECT name FROM environments
    WHERE a.id IS NULL AND project_id = k.project_id AND name = k.environment
  ) e ON true`;

/** Hours since 1970 UTC. */
const hourOf = (time: string): string => `floor(date_part('epoch', ${time}) / 3600)::int`;

/** The hour of the alert's latest event. */
const LATEST_HOUR = `coalesce(a.totals_hour, ${hourOf('a.created_at')})`;
const HOURS_PASSED = `least(h.hour - ${LATEST_HOUR}, ${TREND_HOURS})`;

/**
 * The totals with that of each hour that began since, the latest of them. In columns of the row: a
 * table of hours would cost each new alert a second insert.
 */
const NEXT_TOTALS = `(coalesce(a.hour_totals, '{0}') || array_fill(a.event_count, ARRAY[${HOURS_PASSED}]))
  [coalesce(cardinality(a.hour_totals), 1) + ${HOURS_PASSED} - ${TREND_HOURS - 1} :]`;

/** Counts and resolves; columns that keep their value do not cost an update of their indexes. */
const UPDATE_SQL = `
  UPDATE alerts a SET
    event_count = a.event_count + c.events,
    hour_totals = CASE WHEN c.events > 0 AND h.hour > ${LATEST_HOUR} THEN ${NEXT_TOTALS}
      ELSE a.hour_totals END,
    totals_hour = CASE WHEN c.events > 0 AND h.hour > ${LATEST_HOUR} THEN h.hour
      ELSE a.totals_hour END,
    last_event_at = CASE WHEN c.events > 0 THEN now() ELSE a.last_event_at END,
    status = CASE WHEN c.ended_at IS NULL THEN a.status ELSE 2 END,
    ended_at = coalesce(c.ended_at, a.ended_at),
    updated_at = CASE WHEN c.ended_at IS NULL THEN a.updated_at ELSE now() END
  FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS c (id, events, ended_at),
    (SELECT ${hourOf('now()')} AS hour) h
  WHERE a.id = c.id`;

const ALERTS = new InputColumns<NewAlert>([
  ['id', 'bigint', ({ id }) => id],
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
]);

/** Conversions from input columns to table columns, where they differ. */
const CONVERSIONS: Record<string, readonly [target: string, expression: string]> = {
  environment: [
    'environment_id',
    '(SELECT e.id FROM environments e WHERE e.project_id = n.project_id AND e.name = n.environment)',
  ],
  hosts: ['hosts', 'n.hosts::text[]'],
  payload: ['payload', 'n.payload::json'],
};

/** The transaction holds the lock of the project, so the numbers are its own. */
const INSERT_SQL = `
  WITH numbered AS (
    INSERT INTO alert_counters AS c (project_id, last_iid)
    SELECT project_id, last_iid
    FROM unnest($${ALERTS.names.length + 1}::bigint[], $${ALERTS.names.length + 2}::bigint[])
      AS u (project_id, last_iid)
    ON CONFLICT (project_id) DO UPDATE SET last_iid = greatest(c.last_iid, excluded.last_iid)
  )
  INSERT INTO alerts (${ALERTS.names.map((name) => CONVERSIONS[name]?.[0] ?? name).join(', ')})
  SELECT ${ALERTS.names.map((name) => CONVERSIONS[name]?.[1] ?? `n.${name}`).join(', ')}
  FROM ${ALERTS.source}
  ORDER BY n.position`;

const UNIQUE_VIOLATION = '23505';

/** Returns true if a new alert was not inserted since someone opened one of its fingerprint. */
export function isReopened(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === UNIQUE_VIOLATION && constraint === 'uq_alerts_open_fingerprint';
}

/** The stored state of a key; without an open alert its id is null. */
interface AlertStateRow extends ProjectRules, Omit<OpenAlert, 'id'> {
  /** The position of the key, from 1 on. */
  position: number;
  id: number | null;
  /** True if an active silence matches the open alert, or the one that would be inserted. */
  isSilenced: boolean;
  /** Id of the alert that would be inserted; null with an open alert. */
  newId: number | null;
}

/** Owns the statements by which batches of events become alerts. */
@Injectable()
export class AlertIngestRepository extends Repository<Alert> {
  constructor(dataSource: DataSource) {
    super(Alert, dataSource.manager);
  }

  /**
   * Reads the rules of the projects and locks the open alerts of the keys. The projects must be
   * locked by a statement before: otherwise this one does not see what the previous holder wrote.
   * The new ids grow with the positions of the keys, as the numbers of the alerts will: searches read
   * the latest alerts of a project by number, and those of several by id.
   */
  async lockOpen(rows: TransactionRows, keys: readonly EventKey[]): Promise<AlertStateRow[]> {
    const found = await rows<AlertStateRow>(LOCK_OPEN_SQL, [
      keys.map(({ projectId }) => projectId),
      keys.map(({ fingerprint }) => fingerprint),
      keys.map(({ alert }) => alert.title),
      keys.map(({ alert }) => alert.environmentName),
      keys.map(({ alert }) => severityNumber(alert.severity)),
      keys.map(({ isSuccessor }) => isSuccessor),
    ]);
    const newIds = found.flatMap(({ newId }) => newId ?? []).sort((one, other) => one - other);
    return found
      .sort((one, other) => one.position - other.position)
      .map((row) => (row.newId === null ? row : { ...row, newId: newIds.shift() ?? row.newId }));
  }

  /** Counts the events of stored alerts and resolves those that ended. */
  async applyEvents(rows: TransactionRows, alerts: readonly TrackedAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    await rows(UPDATE_SQL, [
      alerts.map(({ id }) => id),
      alerts.map(({ events }) => events),
      alerts.map(({ endedAt }) => endedAt?.toISOString() ?? null),
    ]);
  }

  /**
   * Inserts the alerts; `lastIids` holds the highest new number of each project. Throws an error that
   * `isReopened` knows.
   */
  async insertAll(
    rows: TransactionRows,
    alerts: readonly NewAlert[],
    lastIids: ReadonlyMap<number, number>,
  ): Promise<void> {
    if (alerts.length === 0) return;
    await rows(INSERT_SQL, [
      ...ALERTS.values(alerts),
      [...lastIids.keys()],
      [...lastIids.values()],
    ]);
  }
}

/** Locks of projects whose alerts are written: above every other lock of ours. */
const PROJECT_LOCKS = 4_100_000_000_000_000;

/** Returns the key of the advisory lock for writes of a project's alerts. */
export function alertsLockOf(projectId: number): number {
  return PROJECT_LOCKS + projectId;
}
