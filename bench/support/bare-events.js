import { serveRows } from './bare-server.js';

/**
 * Cost of a page of a project's events without a framework: node:http, a token found in memory, one
 * prepared query that returns all fields, the same JSON. Checks for events beyond the counting
 * limit only on request.
 */
const { PROJECT_ID, BASE_URL = '', COUNTS = 'no' } = process.env;

const TOTAL = `(SELECT count(*)::int FROM
  (SELECT 1 FROM events WHERE project_id = $1 LIMIT 10001) counted)`;

const PERSON = `json_build_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state,
  'locked', false, 'avatar_url', null, 'web_url', '${BASE_URL}/' || u.username)`;

const QUERY = {
  name: 'events',
  text: `SELECT e.id::int, e.project_id::int, e.action, e.target_type, e.target_id::int, e.created_at,
      e.author_id::int, e.noteable_id::int, e.ref, e.commit_from, e.commit_to, e.commit_count,
      e.commit_title, e.ref_count, i.iid::int, i.title, ${PERSON} AS author,
      CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'body', t.body,
        'created_at', t.created_at, 'updated_at', t.updated_at, 'system', t.system,
        'internal', t.internal) END AS note, ${COUNTS === 'yes' ? TOTAL : 'NULL'} AS total
    FROM (SELECT * FROM events WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 20) e
      LEFT JOIN users u ON u.id = e.author_id
      LEFT JOIN notes t ON e.target_type = 4 AND t.id = e.target_id
      LEFT JOIN issues i ON i.id = CASE e.target_type WHEN 1 THEN e.target_id ELSE e.noteable_id END
    ORDER BY e.created_at DESC, e.id DESC`,
  values: [PROJECT_ID],
};

/** @param {Record<string, any>} row */
function present(row) {
  const { id, project_id: projectId, target_id: targetId, target_type: targetType, author } = row;
  const event = {
    id,
    title: null,
    project_id: projectId,
    action_name: { 3: 'closed', 5: 'pushed to', 6: 'commented on' }[String(row['action'])],
    target_id: targetId,
    target_iid: targetType === 1 ? row['iid'] : targetId,
    target_type: { 1: 'Issue', 4: 'Note' }[String(targetType)] ?? null,
    author_id: row['author_id'],
    target_title: row['title'],
    created_at: row['created_at'],
    author,
    author_username: author.username,
    imported: false,
    imported_from: 'none',
    data: null,
  };
  if (targetType === null) return { ...event, push_data: pushOf(row) };
  return row['note'] === null ? event : { ...event, note: noteOf(row) };
}

/** @param {Record<string, any>} row */
function pushOf({ commit_count, commit_from, commit_to, ref, commit_title, ref_count }) {
  const kind = { action: 'pushed', ref_type: 'branch' };
  return { commit_count, ...kind, commit_from, commit_to, ref, commit_title, ref_count };
}

/** @param {Record<string, any>} row */
function noteOf({ note, author, noteable_id: noteableId, iid, project_id: projectId }) {
  return {
    ...note,
    type: null,
    attachment: null,
    author,
    noteable_id: noteableId,
    noteable_type: 'Issue',
    noteable_iid: iid,
    project_id: projectId,
    resolvable: false,
    confidential: note.internal,
    imported: false,
    imported_from: 'none',
    commands_changes: {},
  };
}

serveRows(QUERY, present);
