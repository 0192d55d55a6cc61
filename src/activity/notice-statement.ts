import type { NewNotice } from './new-notice.js';
import { NOTICE_KINDS, NOTICE_TARGETS } from './notice-kinds.js';

/** Writes notices in their order; one array of values for each column. */
export const NOTICES_SQL = `
  INSERT INTO notices (kind, project_id, actor_id, target_type, target_id, note_id, details)
  SELECT kind, project_id, actor_id, target_type, target_id, note_id, details FROM
    unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bigint[],
      $7::jsonb[]) WITH ORDINALITY
    AS n (kind, project_id, actor_id, target_type, target_id, note_id, details, position)
  ORDER BY position`;

/** The values of NOTICES_SQL. */
export function noticeValues(notices: readonly NewNotice[]): unknown[][] {
  return [
    notices.map(({ kind }) => NOTICE_KINDS[kind]),
    notices.map(({ projectId }) => projectId),
    notices.map(({ actorId }) => actorId),
    notices.map(({ target }) => NOTICE_TARGETS[target.type]),
    notices.map(({ target }) => target.id),
    notices.map(({ noteId }) => noteId ?? null),
    notices.map(({ details }) => JSON.stringify(details ?? {})),
  ];
}
