import type { EntityManager } from 'typeorm';
import type { Activity } from '../../../core/activity/activity.service.js';
import type { NewEvent } from '../../../core/activity/event.entity.js';
import type { IssueSeverity } from '../issue.entity.js';

/** An incident to be opened. */
export interface NewIncident {
  projectId: number;
  authorId: number;
  title: string;
  /** Markdown; what is longer than a description can be is cut off. */
  description: string;
  severity: IssueSeverity;
  confidential: boolean;
  assigneeIds?: readonly number[];
}

/** An opened incident. */
export interface OpenedIncident {
  id: number;
  iid: number;
}

/**
 * Numbers are given as for issues; counters are taken in the order of projects, so that two
 * transactions never wait for each other.
 */
const OPEN_SQL = `
  WITH wanted AS (
    SELECT *, count(*) OVER (PARTITION BY project_id) AS total,
      row_number() OVER (PARTITION BY project_id ORDER BY position) AS place
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[],
        $6::boolean[])
      WITH ORDINALITY AS w
        (project_id, author_id, title, description, severity, confidential, position)
  ), counted AS (
    INSERT INTO issue_counters AS c (project_id, last_iid)
      SELECT project_id, count(*) FROM wanted GROUP BY project_id ORDER BY project_id
    ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + excluded.last_iid
    RETURNING project_id, last_iid
  ), numbered AS (
    SELECT w.*, c.last_iid - w.total + w.place AS iid
    FROM wanted w JOIN counted c USING (project_id)
  ), opened AS (
    INSERT INTO issues
      (project_id, iid, author_id, title, description, issue_type, severity, confidential)
      SELECT project_id, iid, author_id,
        CASE WHEN title = 'New: Alert' THEN 'New: Incident ' || iid ELSE title END,
        left(description, 1048576), 'incident', severity, confidential
      FROM numbered ORDER BY position
    RETURNING id, iid, project_id
  )
  SELECT o.id, o.iid FROM opened o JOIN numbered n USING (project_id, iid) ORDER BY n.position`;

const ASSIGN_SQL = `
  INSERT INTO issue_assignees (issue_id, user_id)
  SELECT issue_id, user_id FROM unnest($1::bigint[], $2::bigint[]) AS a (issue_id, user_id)
  ON CONFLICT DO NOTHING`;

/** Opens incidents and records an event for each; returns them in the order given. */
export async function openIncidents(
  tx: EntityManager,
  incidents: readonly NewIncident[],
  activity: Activity,
): Promise<OpenedIncident[]> {
  if (incidents.length === 0) return [];
  const opened = await insertIncidents(tx, incidents);
  await activity.record(tx, openingEvents(incidents, opened));
  return opened;
}

function openingEvents(
  incidents: readonly NewIncident[],
  opened: readonly OpenedIncident[],
): NewEvent[] {
  return incidents.flatMap(({ projectId, authorId }, position) => {
    const incident = opened[position];
    if (incident === undefined) return [];
    const target = { type: 'issue', id: incident.id } as const;
    return [{ projectId, authorId, action: 'created', target }];
  });
}

/**
 * Inserts incidents with their assignees and returns their IDs and numbers in the given order. The
 * title `New: Alert` is no description of an incident and becomes `New: Incident <number>`.
 */
async function insertIncidents(
  manager: EntityManager,
  incidents: readonly NewIncident[],
): Promise<OpenedIncident[]> {
  const opened = await manager.query<OpenedIncident[]>(OPEN_SQL, [
    incidents.map(({ projectId }) => projectId),
    incidents.map(({ authorId }) => authorId),
    incidents.map(({ title }) => title),
    incidents.map(({ description }) => description),
    incidents.map(({ severity }) => severity),
    incidents.map(({ confidential }) => confidential),
  ]);
  await assign(manager, incidents, opened);
  return opened;
}

async function assign(
  manager: EntityManager,
  incidents: readonly NewIncident[],
  opened: readonly OpenedIncident[],
): Promise<void> {
  const pairs = opened.flatMap(({ id }, position) =>
    (incidents[position]?.assigneeIds ?? []).map((userId) => ({ id, userId })),
  );
  if (pairs.length === 0) return;
  await manager.query(ASSIGN_SQL, [pairs.map(({ id }) => id), pairs.map(({ userId }) => userId)]);
}
