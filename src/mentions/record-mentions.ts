import type { EntityManager } from 'typeorm';
import type { NamedPeople } from '../activity/new-notice.js';
import { namesIn } from './named-people.js';

/** Whose text it is: an issue's or merge request's title and description, or a comment's. */
export type NamingText = { issueId: number } | { mergeRequestId: number } | { noteId: number };

type TextColumn = 'issue_id' | 'merge_request_id' | 'note_id';

interface NamedRow {
  userId: number | null;
  namespaceId: number | null;
}

/** Users and groups are kept from being deleted meanwhile, in the order of their ids. */
const recordSql = (column: TextColumn): string => `
  WITH people AS (
    SELECT id FROM users
    WHERE lower(username) = ANY($2::text[]) AND user_type <> 'internal'
    ORDER BY id FOR KEY SHARE
  ), named_groups AS (
    SELECT id FROM namespaces
    WHERE lower(full_path) = ANY($2::text[]) AND kind = 'group'
    ORDER BY id FOR KEY SHARE
  ), named AS (
    SELECT id AS user_id, NULL::bigint AS namespace_id FROM people
    UNION ALL SELECT NULL, id FROM named_groups
    UNION ALL SELECT NULL, NULL WHERE 'all' = ANY($2::text[])
  ), present AS (
    SELECT id, user_id, namespace_id FROM mentions WHERE ${column} = $1
  ), gone AS (
    DELETE FROM mentions m USING present p WHERE m.id = p.id AND NOT EXISTS (
      SELECT FROM named n
      WHERE (n.user_id, n.namespace_id) IS NOT DISTINCT FROM (p.user_id, p.namespace_id))
  )
  INSERT INTO mentions (${column}, user_id, namespace_id)
  SELECT $1, n.user_id, n.namespace_id FROM named n WHERE NOT EXISTS (
    SELECT FROM present p
    WHERE (n.user_id, n.namespace_id) IS NOT DISTINCT FROM (p.user_id, p.namespace_id))
  RETURNING user_id AS "userId", namespace_id AS "namespaceId"`;

/**
 * Notes whom a text of a new issue, merge request or comment names, in the transaction that writes
 * it. Without a name it costs no statement.
 */
export async function recordNewMentions(
  tx: EntityManager,
  text: NamingText,
  body: string,
): Promise<void> {
  const names = namesIn(body);
  if (names.length > 0) await record(tx, text, names);
}

/**
 * Makes those whom `body` names the ones that the text names, and answers whom it did not name
 * before. The caller holds the row that the text belongs to. Whether they may read it is decided
 * whenever they are told.
 */
export function recordMentions(
  tx: EntityManager,
  text: NamingText,
  body: string,
): Promise<NamedPeople> {
  return record(tx, text, namesIn(body));
}

async function record(
  tx: EntityManager,
  text: NamingText,
  names: readonly string[],
): Promise<NamedPeople> {
  const [column, id] = placeOf(text);
  const added = await tx.query<NamedRow[]>(recordSql(column), [id, names]);
  return {
    userIds: added.flatMap(({ userId }) => userId ?? []),
    namespaceIds: added.flatMap(({ namespaceId }) => namespaceId ?? []),
    all: added.some(({ userId, namespaceId }) => userId === null && namespaceId === null),
  };
}

/** The text that names people in what has a title: both parts, in paragraphs of their own. */
export function titledText(title: string, description: string | null): string {
  return `${title}\n\n${description ?? ''}`;
}

/** Whether nobody is named. */
export function namesNobody({ userIds, namespaceIds, all }: NamedPeople): boolean {
  return userIds.length === 0 && namespaceIds.length === 0 && !all;
}

function placeOf(text: NamingText): [TextColumn, number] {
  if ('issueId' in text) return ['issue_id', text.issueId];
  return 'noteId' in text ? ['note_id', text.noteId] : ['merge_request_id', text.mergeRequestId];
}
