import type { IssueState } from '../../issues/issue.entity.js';
import { optionalUserSql } from '../../users/user-sql.js';
import type { UserBasics } from '../../users/user.presenter.js';
import type { Alert } from '../alert.entity.js';
import type { JsonObject } from '../parsing/incoming-alert.js';

/** An alert with what presenting it needs, read in one statement. */
export interface AlertRow extends Pick<
  Alert,
  | 'id'
  | 'iid'
  | 'projectId'
  | 'title'
  | 'description'
  | 'service'
  | 'monitoringTool'
  | 'severity'
  | 'status'
  | 'hosts'
  | 'runbook'
  | 'query'
  | 'yLabel'
  | 'eventCount'
  | 'lastEventAt'
  | 'startedAt'
  | 'endedAt'
  | 'createdAt'
  | 'updatedAt'
> {
  /** 40 hex; null for some of the oldest alerts. */
  fingerprint: string | null;
  environment: { id: number; name: string } | null;
  issue: { id: number; iid: number; title: string; state: IssueState } | null;
  assignee: UserBasics | null;
}

/** One alert with what its tool sent. */
export interface FoundAlert extends AlertRow {
  incidentMarkdown: string | null;
  payload: JsonObject;
}

export const ALERT_COLUMNS = `
  a.id, a.iid, a.project_id AS "projectId", a.title, a.description, a.service,
  a.monitoring_tool AS "monitoringTool", a.severity, a.status,
  encode(a.fingerprint, 'hex') AS fingerprint, a.hosts, a.runbook, a.query,
  a.y_label AS "yLabel", a.event_count AS "eventCount", a.last_event_at AS "lastEventAt",
  a.started_at AS "startedAt", a.ended_at AS "endedAt",
  a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  CASE WHEN e.id IS NULL THEN NULL ELSE json_build_object('id', e.id, 'name', e.name)
  END AS environment,
  CASE WHEN i.id IS NULL THEN NULL ELSE json_build_object('id', i.id, 'iid', i.iid,
    'title', i.title, 'state', i.state) END AS issue,
  ${optionalUserSql('u')} AS assignee`;

/** What an alert names is shown only when it is of the alert's own project. */
export const ALERT_JOINS = `
  LEFT JOIN environments e ON e.id = a.environment_id AND e.project_id = a.project_id
  LEFT JOIN issues i ON i.id = a.issue_id AND i.project_id = a.project_id
  LEFT JOIN users u ON u.id = a.assignee_id`;
