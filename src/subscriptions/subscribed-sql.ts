import { NOTIFICATION_LEVELS } from './notification-levels.js';

const { global, participating, watch, custom } = NOTIFICATION_LEVELS;

/** Whose subscription to what, as SQL. */
export interface Subscriber {
  /** Alias of the table of issues or merge requests. */
  row: string;
  /** Their id. */
  userId: string;
  /** Whether they may read internal notes. */
  seesInternalNotes: string;
  /** SQL that is true for members of the project. */
  isMember: string;
}

/**
 * Returns SQL for whether a user receives email about an issue: by explicit choice, otherwise by
 * participating or watching, depending on the user's level for the project. Must match the rules
 * for recipients (`src/notifications/recipients/`).
 */
export function subscribedToIssueSql(subscriber: Subscriber): string {
  const { row, userId } = subscriber;
  return subscribedSql('issue_id', {
    ...subscriber,
    works: `EXISTS (SELECT FROM issue_assignees a
      WHERE a.issue_id = ${row}.id AND a.user_id = ${userId})`,
  });
}

/** The same of a merge request. */
export function subscribedToMergeRequestSql(subscriber: Subscriber): string {
  const { row, userId } = subscriber;
  return subscribedSql('merge_request_id', {
    ...subscriber,
    works: `EXISTS (SELECT FROM merge_request_people a
      WHERE a.merge_request_id = ${row}.id AND a.user_id = ${userId})`,
  });
}

/** Taking part is being its author, working on it, having commented and being named. */
function subscribedSql(
  column: 'issue_id' | 'merge_request_id',
  { row, userId, seesInternalNotes, isMember, works }: Subscriber & { works: string },
): string {
  const comments = `c.${column} = ${row}.id AND NOT c.system
    AND (NOT c.internal OR ${seesInternalNotes})`;
  return `(SELECT coalesce(
    (SELECT s.subscribed FROM subscriptions s
     WHERE s.${column} = ${row}.id AND s.user_id = ${userId}),
    CASE WHEN l.level IN (${participating}, ${watch}, ${custom}) THEN (${row}.author_id = ${userId} OR ${works}
      OR EXISTS (SELECT FROM notes c WHERE ${comments} AND c.author_id = ${userId})
      OR EXISTS (SELECT FROM mentions d
        WHERE d.${column} = ${row}.id AND d.user_id = ${userId})
      OR EXISTS (SELECT FROM mentions d JOIN notes c ON c.id = d.note_id
        WHERE ${comments} AND d.user_id = ${userId})
      OR (l.level = ${watch} AND (${isMember} OR l.is_set))) ELSE false END)
    FROM (${levelSql(row, userId)}) l)`;
}

/** The setting nearest to the project applies, then the global one. */
function levelSql(row: string, userId: string): string {
  return `SELECT coalesce(
      (array_agg(s.level ORDER BY s.project_id IS NULL, array_position(n.traversal_ids, s.namespace_id) DESC)
        FILTER (WHERE s.level <> ${global} AND num_nonnulls(s.project_id, s.namespace_id) > 0))[1],
      max(s.level) FILTER (WHERE s.level <> ${global} AND num_nonnulls(s.project_id, s.namespace_id) = 0),
      ${participating}) AS level,
      count(*) FILTER (WHERE num_nonnulls(s.project_id, s.namespace_id) > 0) > 0 AS is_set
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id
      JOIN notification_settings s ON s.user_id = ${userId}
        AND (s.project_id = p.id OR s.namespace_id = ANY(n.traversal_ids)
          OR num_nonnulls(s.project_id, s.namespace_id) = 0)
    WHERE p.id = ${row}.project_id`;
}
