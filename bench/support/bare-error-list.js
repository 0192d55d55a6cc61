import { serveRows } from './bare-server.js';

/**
 * Cost of a page of errors without a framework: node:http, a token found in memory, one prepared
 * query that returns all fields and the bounded total, the same JSON.
 */
const { PROJECT_ID, WEB_URL = '', OFFSET = '0' } = process.env;

const STATUSES = ['unresolved', 'resolved', 'ignored'];
const LEVELS = ['debug', 'info', 'warning', 'error', 'fatal'];
const TOTAL = `(SELECT count(*)::int FROM
  (SELECT 1 FROM errors WHERE project_id = $1 AND status = 0 LIMIT 10001) counted)`;

const QUERY = {
  name: 'errors',
  text: `SELECT e.id::int, e.status, e.type, e.value, e.culprit, e.platform, e.logger, e.level,
           e.is_unhandled, e.first_seen_at, e.last_seen_at, e.events_count::int, e.users_count,
           e.first_release, e.last_release, e.regressed_at, u.username, i.iid AS issue_iid,
           i.title AS issue_title, i.state AS issue_state, ${TOTAL} AS total
         FROM errors e LEFT JOIN users u ON u.id = e.status_changed_by_id
           LEFT JOIN issues i ON i.id = e.issue_id
         WHERE e.project_id = $1 AND e.status = 0
         ORDER BY e.last_seen_at DESC, e.id DESC LIMIT 20 OFFSET ${Number(OFFSET)}`,
  values: [PROJECT_ID],
};

/** @param {Record<string, any>} row */
function present({ issue_iid: iid, issue_title: title, issue_state: state, ...row }) {
  return {
    id: row['id'],
    project_id: Number(PROJECT_ID),
    title: `${row['type']}: ${row['value']}`,
    type: row['type'],
    message: row['value'],
    culprit: row['culprit'],
    platform: row['platform'],
    level: LEVELS[row['level']],
    logger: row['logger'],
    unhandled: row['is_unhandled'],
    status: STATUSES[row['status']],
    first_seen: row['first_seen_at'],
    last_seen: row['last_seen_at'],
    count: row['events_count'],
    user_count: row['users_count'],
    first_release_version: row['first_release'],
    last_release_version: row['last_release'],
    regressed_at: row['regressed_at'],
    issue: iid === null ? null : { iid, title, state },
    web_url: `${WEB_URL}/-/error_tracking/${row['id']}/details`,
  };
}

serveRows(QUERY, present);
