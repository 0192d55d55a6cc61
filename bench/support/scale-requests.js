import { readFileSync } from 'node:fs';
import { KNOWN } from './scale-rows.js';

/** Who asks for a list. */
const EVERYONE = /** @type {const} */ (['admin', 'manager', 'member']);
const ADMIN = /** @type {const} */ (['admin']);
const ANONYMOUS = /** @type {const} */ (['anonymous']);

/** Lists that read Git, or that belong to one row and stay short. */
const NOT_GROWING =
  /repository\/|merge_requests\/\{|access_requests|client_keys|\/user\/emails|impersonation|http_integrations|applications|silences|resource_state_events|snippets\/\{|access_tokens$/;

/**
 * A request to measure.
 * @typedef {object} ScaleRequest
 * @property {string} path
 * @property {readonly ('admin' | 'manager' | 'member' | 'anonymous')[]} askers
 */

/** @param {Record<string, string>} position */
const cursor = (position) =>
  Buffer.from(JSON.stringify({ ...position, _kd: 'n' })).toString('base64url');

/** Words of `bench_word` that a 32nd of the rows have, a 5,003rd, and none. */
const SEARCHES = ['payment', 'quetzal', 'xylophone'];

/**
 * Every list of the API and every list page, with common filters and searches, and a page from the
 * middle by keyset where there is one.
 * @param {{ projectPath: string, groupPath: string, username: string, middle: number }} names
 *   `middle`: the id of a project in the middle of all
 * @returns {ScaleRequest[]}
 */
export function scaleRequests({ projectPath, groupPath, username, middle }) {
  const project = `/projects/${KNOWN.project}`;
  const group = `/groups/${KNOWN.group}`;
  const middleCursor = cursor({ id: String(middle) });
  const api = [
    '/projects',
    '/projects?order_by=last_activity_at',
    '/projects?order_by=name&sort=asc',
    '/projects?membership=true',
    '/projects?owned=true',
    '/projects?min_access_level=40',
    '/projects?archived=false&visibility=internal',
    '/projects?topic=shop',
    '/projects?page=100',
    `/projects?pagination=keyset&order_by=id&id_before=${middle}`,
    ...searched('/projects?search='),
    '/projects?search=payment&search_namespaces=true',
    '/groups',
    '/groups?top_level_only=true',
    '/groups?all_available=false',
    '/groups?owned=true',
    ...searched('/groups?search='),
    `${group}/projects`,
    `${group}/projects?include_subgroups=true`,
    `${group}/projects?include_subgroups=true&search=payment`,
    `${group}/subgroups`,
    `${group}/members`,
    `${group}/members/all`,
    `${group}/labels`,
    `${group}/search?scope=issues&search=payment`,
    `${group}/transfer_locations`,
    `${project}/transfer_locations`,
    '/namespaces',
    ...searched('/namespaces?search='),
    '/users',
    '/users?active=true&humans=true',
    ...searched('/users?search='),
    '/users?page=100',
    '/events',
    '/events?scope=all',
    '/events?scope=all&target_type=issue',
    `/users/${KNOWN.manager}/events`,
    `${project}/events`,
    `${project}/events?action=commented`,
    `${project}/events?target_type=merge_request`,
    `${project}/events?sort=asc`,
    `${project}/events?page=100`,
    '/issues',
    '/issues?scope=all',
    '/issues?scope=all&state=opened&labels=bug',
    '/issues?scope=all&order_by=updated_at',
    ...searched('/issues?scope=all&search='),
    '/issues?scope=assigned_to_me&state=opened',
    '/issues_statistics',
    '/issues_statistics?scope=all',
    `${project}/issues`,
    `${project}/issues?state=opened`,
    `${project}/issues?labels=bug&state=opened`,
    `${project}/issues?order_by=updated_at`,
    `${project}/issues?author_id=${KNOWN.member}`,
    `${project}/issues?assignee_id=none`,
    ...searched(`${project}/issues?search=`),
    `${project}/issues_statistics`,
    `${project}/issues/1/notes`,
    '/merge_requests',
    '/merge_requests?scope=all',
    '/merge_requests?scope=all&state=opened',
    '/merge_requests?scope=all&search=payment',
    `${project}/merge_requests`,
    `${project}/merge_requests?state=opened`,
    `${project}/merge_requests?order_by=updated_at`,
    ...searched(`${project}/merge_requests?search=`),
    `${project}/milestones`,
    `${project}/milestones?state=active`,
    `${project}/milestones?search=version`,
    `${project}/labels?with_counts=true`,
    `${project}/members`,
    `${project}/members/all`,
    `${project}/members/all?query=payment`,
    `${project}/environments`,
    `${project}/snippets`,
    `${project}/jobs`,
    `${project}/search?scope=issues&search=payment`,
    `${project}/alert_management_alerts`,
    `${project}/alert_management_alerts?status[]=triggered`,
    `${project}/alert_management_alerts?severity[]=critical`,
    `${project}/alert_management_alerts?order_by=severity`,
    `${project}/alert_management_alerts?order_by=event_count`,
    `${project}/alert_management_alerts?environment=environment-5`,
    `${project}/alert_management_alerts?page=100`,
    ...searched(`${project}/alert_management_alerts?search=`),
    `${project}/alert_management_alerts/1/notes`,
    `${project}/alert_management_alerts_statistics`,
    `${project}/error_tracking/errors`,
    `${project}/error_tracking/errors?status=resolved`,
    `${project}/error_tracking/errors?order_by=frequency`,
    `${project}/error_tracking/errors?environment=staging`,
    `${project}/error_tracking/errors?release=1.5`,
    ...searched(`${project}/error_tracking/errors?search=`),
    `${project}/error_tracking/errors/${KNOWN.error}/events`,
    '/snippets',
    '/snippets/public',
    '/todos',
    '/todos?type=Issue',
    '/todos?state=done',
    ...['projects', 'issues', 'merge_requests', 'milestones', 'users'].map(
      (scope) => `/search?scope=${scope}&search=payment`,
    ),
    '/personal_access_tokens',
  ];
  const adminApi = [
    '/audit_events',
    `/audit_events?pagination=keyset&order_by=id&cursor=${middleCursor}`,
    '/audit_events?entity_type=Project',
    `${project}/audit_events`,
    `${group}/audit_events`,
    '/users?order_by=name&sort=asc',
    '/users?blocked=true',
    '/users?external=true',
    '/users?admins=true',
    '/users?without_projects=true',
    '/projects?repository_storage=storage2',
    '/groups?repository_storage=default',
    '/snippets/all',
    '/project_repository_storage_moves',
    '/project_repository_storage_moves?state=failed',
    '/snippet_repository_storage_moves',
    '/group_repository_storage_moves',
    `${project}/repository_storage_moves`,
    '/storage_moves/summary',
  ];
  const groupCursor = cursor({ name: 'Memory 1', id: String(middle) });
  const anonymousApi = [
    '/projects',
    '/groups',
    `/groups?pagination=keyset&order_by=name&sort=asc&cursor=${groupCursor}`,
  ];
  const at = `/${projectPath}`;
  const groupAt = `/groups/${groupPath}`;
  const pages = [
    '/',
    '/dashboard/projects',
    '/dashboard/groups',
    '/dashboard/issues',
    '/dashboard/merge_requests',
    '/dashboard/alerts',
    '/dashboard/errors',
    '/dashboard/activity',
    '/dashboard/todos',
    '/explore',
    '/explore?search=payment',
    '/explore/groups',
    '/explore/snippets',
    '/-/snippets',
    '/-/switcher',
    '/-/profile/notifications',
    '/-/user_settings/personal_access_tokens',
    '/search?search=payment',
    '/search?search=xylophone',
    '/search?search=payment&scope=issues',
    '/search/palette?term=payment',
    `/${username}`,
    `/users/${username}/activity`,
    groupAt,
    `${groupAt}/-/projects`,
    `${groupAt}/-/subgroups`,
    `${groupAt}/-/group_members`,
    `${groupAt}/-/activity`,
    `${groupAt}/-/labels`,
    at,
    `${at}/-/activity`,
    `${at}/-/issues`,
    `${at}/-/issues?search=payment`,
    `${at}/-/incidents`,
    `${at}/-/merge_requests`,
    `${at}/-/milestones`,
    `${at}/-/labels`,
    `${at}/-/project_members`,
    `${at}/-/environments`,
    `${at}/-/snippets`,
    `${at}/-/alert_management`,
    `${at}/-/alert_management?search=quetzal`,
    `${at}/-/alert_management?group=title`,
    `${at}/-/error_tracking`,
    `${at}/-/error_tracking?search=quetzal`,
    `${at}/-/error_tracking/${KNOWN.error}`,
  ];
  const adminPages = [
    '/admin',
    '/admin/users',
    '/admin/users?search=payment',
    '/admin/projects',
    '/admin/projects?search=payment',
    '/admin/groups',
    '/admin/audit_logs',
    '/admin/storages',
    '/admin/storages/default',
    '/admin/storage_moves',
    '/admin/mails',
    '/admin/queues',
    `${at}/-/audit_events`,
  ];
  const requests = [
    ...api.map((path) => ({ path: `/api/v4${path}`, askers: EVERYONE })),
    ...adminApi.map((path) => ({ path: `/api/v4${path}`, askers: ADMIN })),
    ...anonymousApi.map((path) => ({ path: `/api/v4${path}`, askers: ANONYMOUS })),
    ...pages.map((path) => ({ path, askers: EVERYONE })),
    ...adminPages.map((path) => ({ path, askers: ADMIN })),
  ];
  assertComplete(requests);
  return requests;
}

/** @param {string} prefix */
function searched(prefix) {
  return SEARCHES.map((word) => prefix + word);
}

/**
 * Throws when the description of the API has a list that is not asked for.
 * @param {ScaleRequest[]} requests
 */
function assertComplete(requests) {
  const file = new URL('../../docs/openapi.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8'));
  const asked = requests.map(({ path }) => path.split('?')[0] ?? '');
  const missing = Object.entries(paths)
    .filter(([path, { get }]) => get && isList(get) && !NOT_GROWING.test(path))
    .map(([path]) => path)
    .filter((path) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return !asked.some((one) => pattern.test(one));
    });
  if (missing.length > 0) throw new Error(`not measured: ${missing.join(', ')}`);
}

/** @param {{ parameters?: { $ref?: string, name?: string }[] }} operation */
function isList({ parameters = [] }) {
  return parameters.some(({ $ref, name }) => /per_page/i.test($ref ?? name ?? ''));
}
