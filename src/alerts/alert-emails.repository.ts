import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { ACTIVE_MEMBERSHIP } from '../identity/members/member-source.js';
import { ROLES } from '../identity/members/roles.js';
import {
  addressSql,
  projectMailSql,
  suppressedSql,
} from '../workspace/subscriptions/sql/email-addresses.js';
import { PendingAlertEmail, type AlertNews } from './alert-reaction.entity.js';
import { STATUS } from './alert-values.js';

/** An alert as emails show it. */
export interface MailedAlert {
  id: number;
  iid: number;
  projectId: number;
  projectPath: string;
  projectName: string;
  /** Without the groups around it. */
  projectOwnName: string;
  title: string;
  severity: number;
  status: number;
  startedAt: Date;
  endedAt: Date | null;
  service: string | null;
  monitoringTool: string | null;
  environment: string | null;
  hosts: string[];
  eventCount: number;
  /** Of the only alert of an email; null in digests, which can be long. */
  description: string | null;
  query: string | null;
  runbook: string | null;
}

/** News of an alert for one reader. */
export interface AlertEmailItem extends MailedAlert {
  news: AlertNews;
  /** Events since the last email. */
  events: number;
  /** The reader's role in the project. */
  accessLevel: number;
  /** The reader's address for notifications about the project. */
  address: string;
}

/** News that an email is about, the most important first. */
export type AlertEmailItems = readonly [AlertEmailItem, ...AlertEmailItem[]];

/** A person whose next email is due. */
export interface AlertReader {
  id: number;
}

/** Alerts `a` of projects `p` with namespaces `n` that send emails. */
const MAILED_SQL = `
  alerts a
  JOIN projects p ON p.id = a.project_id AND NOT p.archived AND NOT p.pending_delete
  JOIN namespaces n ON n.id = p.namespace_id AND ${projectMailSql}
  JOIN alert_settings s ON s.project_id = a.project_id AND s.send_email`;

/**
 * Active users with a confirmed address and the role that the project's setting requires, with
 * their role.
 */
function readersSql(projectIds: string): string {
  return `
  SELECT source.project_id, source.user_id, max(source.access_level) AS access_level FROM (
    SELECT p.id AS project_id, n.owner_id AS user_id, ${ROLES.owner} AS access_level
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    WHERE p.id IN (${projectIds}) AND n.owner_id IS NOT NULL
    UNION ALL SELECT p.id, m.user_id, m.access_level
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    JOIN alert_settings s ON s.project_id = p.id
    JOIN members m ON m.namespace_id = ANY(n.traversal_ids)
    WHERE p.id IN (${projectIds}) AND m.access_level >= s.email_access_level
      AND ${ACTIVE_MEMBERSHIP}
    UNION ALL SELECT m.project_id, m.user_id, m.access_level
    FROM members m JOIN alert_settings s ON s.project_id = m.project_id
    WHERE m.project_id IN (${projectIds}) AND m.access_level >= s.email_access_level
      AND ${ACTIVE_MEMBERSHIP}
  ) source JOIN users u ON u.id = source.user_id
  WHERE u.state = 'active' AND u.user_type = 'human' AND u.confirmed_at IS NOT NULL
    AND NOT EXISTS (SELECT FROM notification_settings o WHERE o.user_id = source.user_id
      AND o.project_id = source.project_id AND NOT o.alert_emails)
  GROUP BY source.project_id, source.user_id`;
}

/** Windows first and in order: two workers that open the same ones would wait for each other. */
const ADD_SQL = `
  WITH told AS (
    SELECT a.id, a.project_id, t.events
    FROM unnest($1::bigint[], $2::int[]) AS t (alert_id, events)
    JOIN (${MAILED_SQL}) ON a.id = t.alert_id
    WHERE $3::text = 'recovery' OR a.status = ${STATUS.triggered}
  ), readers AS (${readersSql('SELECT project_id FROM told')}
  ), windows AS (
    INSERT INTO alert_email_windows (user_id)
    SELECT DISTINCT user_id FROM readers ORDER BY user_id ON CONFLICT DO NOTHING
  )
  INSERT INTO pending_alert_emails (user_id, alert_id, news, events)
  SELECT r.user_id, t.id, $3::text, t.events
  FROM told t JOIN readers r ON r.project_id = t.project_id`;

const CLAIM_SQL = `
  SELECT u.id FROM alert_email_windows w
  JOIN users u ON u.id = w.user_id
  WHERE w.next_at <= $1::timestamptz
    AND EXISTS (SELECT FROM pending_alert_emails e WHERE e.user_id = w.user_id)
  ORDER BY w.next_at, w.user_id LIMIT 1 FOR UPDATE OF w SKIP LOCKED`;

function onlyAlertSql(column: string): string {
  return `CASE WHEN count(*) OVER (PARTITION BY address.email) = 1 THEN a.${column} END AS ${column}`;
}

/** Asks again who can read them: an alert can be acknowledged, and a role end, while they wait. */
const TAKE_SQL = `
  WITH taken AS (
    DELETE FROM pending_alert_emails WHERE user_id = $1 RETURNING alert_id, news, events
  ), told AS (
    SELECT alert_id, news, sum(events)::int AS events FROM taken GROUP BY alert_id, news
  )
  SELECT a.id, a.iid, a.project_id AS "projectId", n.full_path || '/' || p.path AS "projectPath",
    n.full_name || ' / ' || p.name AS "projectName", p.name AS "projectOwnName", a.title,
    a.severity, a.status, a.started_at AS "startedAt", a.ended_at AS "endedAt", a.service,
    a.monitoring_tool AS "monitoringTool", e.name AS environment, a.hosts,
    a.event_count AS "eventCount", ${onlyAlertSql('description')},
    ${onlyAlertSql('query')}, ${onlyAlertSql('runbook')}, t.news, t.events, r.access_level AS "accessLevel",
    address.email AS address
  FROM told t
  JOIN (${MAILED_SQL}) ON a.id = t.alert_id
  JOIN (${readersSql('SELECT b.project_id FROM told c JOIN alerts b ON b.id = c.alert_id')}) r
    ON r.project_id = a.project_id AND r.user_id = $1
  JOIN users u ON u.id = r.user_id
  CROSS JOIN LATERAL (SELECT ${addressSql} AS email OFFSET 0) address
  LEFT JOIN environments e ON e.id = a.environment_id
  WHERE (t.news = 'recovery' OR a.status = ${STATUS.triggered})
    AND NOT ${suppressedSql('address.email')}
  ORDER BY t.news, a.severity, a.id`;

const SET_WINDOW_SQL =
  'UPDATE alert_email_windows SET next_at = $2::timestamptz WHERE user_id = $1';

/** Owns every statement about pending alert emails and the windows that limit them. */
@Injectable()
export class AlertEmailsRepository extends Repository<PendingAlertEmail> {
  constructor(dataSource: DataSource) {
    super(PendingAlertEmail, dataSource.manager);
  }

  /** Adds news of alerts to the next emails of everyone who gets them. */
  async addNews(
    manager: EntityManager,
    news: AlertNews,
    told: readonly { alertId: number; events: number }[],
  ): Promise<void> {
    const alertIds = told.map(({ alertId }) => alertId);
    await manager.query(ADD_SQL, [alertIds, told.map(({ events }) => events), news]);
  }

  /** Locks the window of a person whose email is due; returns null when there is none. */
  async claimReader(manager: EntityManager, now: Date): Promise<AlertReader | null> {
    const [reader] = await manager.query<AlertReader[]>(CLAIM_SQL, [now]);
    return reader ?? null;
  }

  /** Deletes the person's pending news and returns those still worth an email, firing ones first. */
  takeNews(manager: EntityManager, readerId: number): Promise<AlertEmailItem[]> {
    return manager.query<AlertEmailItem[]>(TAKE_SQL, [readerId]);
  }

  /** Lets the person get no further email before `nextAt`. */
  async setWindow(manager: EntityManager, readerId: number, nextAt: Date): Promise<void> {
    await manager.query(SET_WINDOW_SQL, [readerId, nextAt]);
  }
}
