import type { EntityManager } from 'typeorm';
import { isMailAddress } from '../../mail/mail-text.js';
import { ACTIVE_MEMBERSHIP } from '../../members/member-source.js';

/** What a mail tells of an alert. */
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
}

/** Who gets the mails of a project. */
export interface AlertReader {
  projectId: number;
  name: string;
  email: string;
}

/** Alerts whose projects want mails. */
const ALERTS_SQL = `
  SELECT a.id, a.iid, a.project_id AS "projectId", n.full_path || '/' || p.path AS "projectPath",
    n.full_name || ' / ' || p.name AS "projectName", p.name AS "projectOwnName", a.title, a.severity, a.status,
    a.started_at AS "startedAt", a.ended_at AS "endedAt", a.service,
    a.monitoring_tool AS "monitoringTool", e.name AS environment, a.hosts,
    a.event_count AS "eventCount"
  FROM alerts a
  JOIN projects p ON p.id = a.project_id
  JOIN namespaces n ON n.id = p.namespace_id
  JOIN alert_settings s ON s.project_id = a.project_id AND s.send_email
  LEFT JOIN environments e ON e.id = a.environment_id
  WHERE a.id = ANY($1::bigint[]) AND NOT p.archived AND NOT p.pending_delete ORDER BY a.id`;

/** People with a confirmed address and the role that the project asks for, by whichever way. */
const READERS_SQL = `
  SELECT reader."projectId", u.name, u.email FROM (
    SELECT p.id AS "projectId", n.owner_id AS user_id
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    WHERE p.id = ANY($1::bigint[]) AND n.owner_id IS NOT NULL
    UNION SELECT p.id, m.user_id
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id
    JOIN alert_settings s ON s.project_id = p.id
    JOIN members m ON m.namespace_id = ANY(n.traversal_ids)
    WHERE p.id = ANY($1::bigint[]) AND m.access_level >= s.email_access_level
      AND ${ACTIVE_MEMBERSHIP}
    UNION SELECT m.project_id, m.user_id
    FROM members m JOIN alert_settings s ON s.project_id = m.project_id
    WHERE m.project_id = ANY($1::bigint[]) AND m.access_level >= s.email_access_level
      AND ${ACTIVE_MEMBERSHIP}
  ) reader JOIN users u ON u.id = reader.user_id
  WHERE u.state = 'active' AND u.user_type = 'human' AND u.confirmed_at IS NOT NULL
  ORDER BY reader."projectId", u.id`;

/** Those of the alerts that mails are wanted of, by their ids. */
export async function mailedAlerts(
  tx: EntityManager,
  alertIds: readonly number[],
): Promise<ReadonlyMap<number, MailedAlert>> {
  const rows = await tx.query<MailedAlert[]>(ALERTS_SQL, [alertIds]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Readers of the projects' mails, by the ids of the projects. */
export async function alertReaders(
  tx: EntityManager,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, AlertReader[]>> {
  const rows = await tx.query<AlertReader[]>(READERS_SQL, [[...new Set(projectIds)]]);
  const readers = new Map<number, AlertReader[]>();
  for (const row of rows.filter(({ email }) => isMailAddress(email))) {
    const known = readers.get(row.projectId);
    if (known === undefined) readers.set(row.projectId, [row]);
    else known.push(row);
  }
  return readers;
}
