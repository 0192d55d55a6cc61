import { EVENT_NOTEABLES, EVENT_TARGETS } from '../../core/activity/event-kinds.js';
import { userSql } from '../../identity/users/sql/user-list.js';

const numberedSql = (table: string): string =>
  `(SELECT json_build_object('iid', x.iid, 'title', x.title) FROM ${table} x WHERE x.id = e.target_id)`;

/** One sub-select per kind: an event runs only one of them, by the primary key of its target. */
const TARGET_SQL = `CASE e.target_type
  WHEN ${EVENT_TARGETS.issue} THEN ${numberedSql('issues')}
  WHEN ${EVENT_TARGETS.merge_request} THEN ${numberedSql('merge_requests')}
  WHEN ${EVENT_TARGETS.milestone} THEN ${numberedSql('milestones')}
  WHEN ${EVENT_TARGETS.project} THEN (SELECT json_build_object('title', x.name)
    FROM projects x WHERE x.id = e.target_id)
  WHEN ${EVENT_TARGETS.wiki_page} THEN (SELECT json_build_object('path', x.path)
    FROM wiki_pages x WHERE x.id = e.target_id) END`;

const noteableSql = (table: string, columns: string): string =>
  `(SELECT ${columns} FROM ${table} x WHERE x.id = e.noteable_id)`;

const NOTEABLE_IID_SQL = `CASE e.noteable_type
  WHEN ${EVENT_NOTEABLES.issue} THEN ${noteableSql('issues', 'x.iid')}
  WHEN ${EVENT_NOTEABLES.merge_request} THEN ${noteableSql('merge_requests', 'x.iid')} END`;

const NOTEABLE_TITLE_SQL = `CASE e.noteable_type
  WHEN ${EVENT_NOTEABLES.issue} THEN ${noteableSql('issues', 'x.title')}
  WHEN ${EVENT_NOTEABLES.merge_request} THEN ${noteableSql('merge_requests', 'x.title')}
  WHEN ${EVENT_NOTEABLES.snippet} THEN ${noteableSql('snippets', 'x.title')} END`;

const NOTE_SQL = `(SELECT json_build_object('id', t.id, 'body', t.body, 'system', t.system,
    'internal', t.internal, 'createdAt', t.created_at, 'updatedAt', t.updated_at,
    'sha', t.commit_sha, 'line', CASE WHEN t.commit_path IS NOT NULL THEN json_build_object(
      'path', t.commit_path, 'line', t.commit_line, 'type', t.commit_line_type) END,
    'noteableIid', ${NOTEABLE_IID_SQL},
    'noteableTitle', ${NOTEABLE_TITLE_SQL}, 'author', ${userSql('writer')})
  FROM notes t JOIN users writer ON writer.id = t.author_id WHERE t.id = e.target_id)`;

/** Columns of an EventRow. */
export const EVENT_COLUMNS = `
  e.id, e.created_at AS "createdAt", e.project_id AS "projectId", e.author_id AS "authorId",
  e.action, e.target_type AS "targetType", e.target_id AS "targetId",
  e.noteable_type AS "noteableType", e.noteable_id AS "noteableId",
  e.push_action AS "pushAction", e.ref_type AS "refType", e.ref,
  e.commit_from AS "commitFrom", e.commit_to AS "commitTo", e.commit_count AS "commitCount",
  e.commit_title AS "commitTitle", e.ref_count AS "refCount",
  (SELECT ${userSql('u')} FROM users u WHERE u.id = e.author_id) AS author,
  ${TARGET_SQL} AS target,
  CASE e.target_type WHEN ${EVENT_TARGETS.note} THEN ${NOTE_SQL} END AS note`;
