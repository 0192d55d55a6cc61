/** More are counted, not listed. */
const MAX_LINKED = 20;

/** First errors of an issue. $1 = issue, $2 = project. */
export const LINKED_SQL = `SELECT id, type, value, culprit, level, status, events_count AS "eventsCount",
    last_seen_at AS "lastSeenAt", count(*) OVER ()::int AS total
  FROM errors WHERE issue_id = $1 AND project_id = $2 ORDER BY status, id LIMIT ${MAX_LINKED}`;

/** Open issues of errors. $1 = project, $2 = errors. */
export const OPEN_ISSUES_SQL = `
  SELECT DISTINCT i.id, i.iid FROM errors e
  JOIN issues i ON i.id = e.issue_id AND i.project_id = e.project_id
  WHERE e.project_id = $1 AND (e.id = ANY($2::bigint[]) OR e.merged_into_id = ANY($2::bigint[]))
    AND i.state = 'opened'`;
