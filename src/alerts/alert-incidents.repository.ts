import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';
import { queryPrepared } from '../core/sql/pg-driver.js';
import { Sql } from '../core/sql/sql.service.js';
import { STATUS } from './alert-values.js';
import { Alert } from './alert.entity.js';
import type { DescribedAlert } from './incidents/incident-attributes.js';

/** More are counted, not listed. */
const MAX_LINKED = 20;

const LINKED_SQL = `SELECT iid, title, severity, status, event_count AS "eventCount",
    count(*) OVER ()::int AS total
  FROM alerts WHERE issue_id = $1 AND project_id = $2 ORDER BY status, id LIMIT ${MAX_LINKED}`;

const OPEN_OF_ISSUES_SQL = `
  SELECT a.id, i.iid AS "issueIid" FROM alerts a JOIN issues i ON i.id = a.issue_id
  WHERE a.issue_id = ANY((SELECT $1::bigint[])::bigint[]) AND a.status <> ${STATUS.resolved}`;

/** Reads with the row of the alert locked whether its incident is still wanted. */
const LOCK_CANDIDATES_SQL = `
  SELECT a.id, a.iid, a.project_id AS "projectId", a.title, a.severity, a.started_at AS "startedAt",
    a.query, a.service, a.monitoring_tool AS "monitoringTool", a.hosts, a.description,
    a.incident_markdown AS "incidentMarkdown", n.full_path || '/' || p.path AS "projectPath",
    a.issue_id IS NULL AND a.status <> ${STATUS.resolved} AND coalesce(s.create_issue, false)
      AS "isWanted",
    coalesce(s.confidential_incidents, true) AS "isConfidential",
    p.issues_enabled AND NOT p.archived AND NOT p.pending_delete AS "isPossible"
  FROM alerts a
  JOIN projects p ON p.id = a.project_id
  JOIN namespaces n ON n.id = p.namespace_id
  LEFT JOIN alert_settings s ON s.project_id = a.project_id
  WHERE a.id = ANY($1::bigint[]) ORDER BY a.id FOR NO KEY UPDATE OF a`;

const LINK_SQL = `
  UPDATE alerts a SET issue_id = o.issue_id, updated_at = now()
  FROM unnest($1::bigint[], $2::bigint[]) AS o (alert_id, issue_id) WHERE a.id = o.alert_id`;

const INCIDENT_IDS_SQL = `
  SELECT DISTINCT issue_id AS id FROM alerts WHERE id = ANY($1::bigint[]) AND issue_id IS NOT NULL`;

/**
 * Incidents first and then their alerts, as when people close them: two transactions would wait
 * for each other otherwise.
 */
const LOCK_INCIDENTS_SQL = `
  SELECT i.id FROM issues i
  JOIN projects p ON p.id = i.project_id
  LEFT JOIN alert_settings s ON s.project_id = i.project_id
  WHERE i.id = ANY($1::bigint[]) AND i.state = 'opened' AND i.issue_type = 'incident'
    AND NOT p.archived AND NOT p.pending_delete AND coalesce(s.auto_close_incident, true)
  ORDER BY i.id FOR UPDATE OF i`;

const RECOVERED_SQL = `
  SELECT i.id FROM unnest($1::bigint[]) AS i (id)
  WHERE NOT EXISTS (
    SELECT FROM alerts a WHERE a.issue_id = i.id AND a.status <> ${STATUS.resolved})
  ORDER BY i.id`;

/** An alert on the page of its incident. */
export interface LinkedAlert extends Pick<
  Alert,
  'iid' | 'title' | 'severity' | 'status' | 'eventCount'
> {
  /** The number of the incident's alerts. */
  total: number;
}

/** Alert that needs an incident. */
export interface IncidentCandidate extends DescribedAlert {
  id: number;
  iid: number;
  projectId: number;
  title: string;
  projectPath: string;
  /** True if it has no incident, is not resolved, and the project creates incidents. */
  isWanted: boolean;
  isConfidential: boolean;
  /** The project takes issues. */
  isPossible: boolean;
}

interface Identified {
  id: number;
}

/** Owns every statement about the incidents, or other issues, of alerts. */
@Injectable()
export class AlertIncidentsRepository extends Repository<Alert> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Alert, dataSource.manager);
  }

  /** Returns the first 20 alerts of an issue, open ones first. */
  listLinked(issueId: number, projectId: number): Promise<LinkedAlert[]> {
    return this.queries.rows<LinkedAlert>(LINKED_SQL, [issueId, projectId]);
  }

  /** Returns the open alerts of the issues. */
  listOpenAlerts(
    manager: EntityManager,
    issueIds: readonly number[],
  ): Promise<{ id: number; issueIid: number }[]> {
    const statement = { name: 'list-open-alerts', text: OPEN_OF_ISSUES_SQL, values: [issueIds] };
    return queryPrepared(manager, statement);
  }

  /** Keeps an issue from being deleted until the transaction ends; throws NotFoundError. */
  async lockIssue(manager: EntityManager, issueId: number): Promise<void> {
    const rows = await manager.query<unknown[]>('SELECT FROM issues WHERE id = $1 FOR KEY SHARE', [
      issueId,
    ]);
    if (rows.length === 0) throw new NotFoundError();
  }

  /**
   * Locks an alert until the transaction ends and returns its issue; throws NotFoundError. Without
   * a join: after waiting for the lock, PostgreSQL would join what belonged to the row before.
   */
  async lockIssueId(manager: EntityManager, alertId: number): Promise<number | null> {
    const [row] = await manager.query<{ issueId: number | null }[]>(
      'SELECT issue_id AS "issueId" FROM alerts WHERE id = $1 FOR NO KEY UPDATE',
      [alertId],
    );
    if (row === undefined) throw new NotFoundError();
    return row.issueId;
  }

  /** Locks alerts that need an incident; waits for locked ones only with `mayWait`. */
  lockCandidates(
    manager: EntityManager,
    alertIds: readonly number[],
    mayWait: boolean,
  ): Promise<IncidentCandidate[]> {
    const lock = mayWait ? LOCK_CANDIDATES_SQL : `${LOCK_CANDIDATES_SQL} SKIP LOCKED`;
    return manager.query<IncidentCandidate[]>(lock, [alertIds]);
  }

  /** Links each of the alerts to the issue at its position. */
  async link(
    manager: EntityManager,
    alertIds: readonly number[],
    issueIds: readonly number[],
  ): Promise<void> {
    await manager.query(LINK_SQL, [alertIds, issueIds]);
  }

  /** Returns the ids of the alerts' issues. */
  async listIssueIds(manager: EntityManager, alertIds: readonly number[]): Promise<number[]> {
    return idsOf(await manager.query<Identified[]>(INCIDENT_IDS_SQL, [alertIds]));
  }

  /** Locks those of the issues that are open incidents to close; returns their ids. */
  async lockClosable(manager: EntityManager, issueIds: readonly number[]): Promise<number[]> {
    return idsOf(await manager.query<Identified[]>(LOCK_INCIDENTS_SQL, [issueIds]));
  }

  /** Returns the ids of the issues without an open alert. */
  async listRecovered(manager: EntityManager, issueIds: readonly number[]): Promise<number[]> {
    return idsOf(await manager.query<Identified[]>(RECOVERED_SQL, [issueIds]));
  }
}

function idsOf(rows: readonly Identified[]): number[] {
  return rows.map(({ id }) => id);
}
