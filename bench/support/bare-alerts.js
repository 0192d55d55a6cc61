import { serveRows } from './bare-server.js';

/**
 * Cost of a page of alerts without a framework: node:http, a token found in memory, one prepared
 * query that returns all fields and the bounded total, the same JSON.
 */
const { PROJECT_ID, WEB_URL = '' } = process.env;

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'unknown'];
const STATUSES = ['triggered', 'acknowledged', 'resolved', 'ignored'];
const TOTAL = `(SELECT count(*)::int FROM
  (SELECT 1 FROM alerts WHERE project_id = $1 LIMIT 10001) counted)`;

const QUERY = {
  name: 'alerts',
  text: `SELECT a.id::int, a.iid::int, a.title, a.description, a.service, a.monitoring_tool, a.runbook,
           a.query, a.y_label, a.severity, a.status, encode(a.fingerprint, 'hex') AS fingerprint,
           a.event_count::int, a.hosts, a.started_at, a.ended_at, a.last_event_at, a.created_at,
           a.updated_at, e.id AS environment_id, e.name AS environment_name, i.iid AS issue_iid,
           i.title AS issue_title, u.id AS user_id, u.username, ${TOTAL} AS total
         FROM alerts a LEFT JOIN environments e ON e.id = a.environment_id
           LEFT JOIN issues i ON i.id = a.issue_id LEFT JOIN users u ON u.id = a.assignee_id
         WHERE a.project_id = $1 ORDER BY a.started_at DESC, a.id DESC LIMIT 20`,
  values: [PROJECT_ID],
};

/** @param {Record<string, any>} row */
function present({ environment_id: environmentId, issue_iid: issueIid, user_id: userId, ...row }) {
  const { environment_name: name, issue_title: title, username, ...columns } = row;
  return {
    ...columns,
    project_id: Number(PROJECT_ID),
    severity: SEVERITIES[row['severity']],
    status: STATUSES[row['status']],
    environment: environmentId === null ? null : { id: environmentId, name },
    issue: issueIid === null ? null : { iid: issueIid, title },
    assignees: userId === null ? [] : [{ id: userId, username }],
    web_url: `${WEB_URL}/-/alert_management/${row['iid']}/details`,
  };
}

serveRows(QUERY, present);
