import { MANAGED_ALERTS } from './alert-policy.js';
import { ERROR_EVENTS } from './error-event-policy.js';
import { ERRORS } from './error-policy.js';
import { ERROR_TRACKING } from './error-tracking-policy.js';
import { EVENTS } from './event-policy.js';
import { READ_CODE } from './code-policy.js';
import { WRITE_CODE } from './code-writing-policy.js';
import { LABEL_OPERATIONS, MILESTONES, SNIPPET_NOTES } from './milestone-policy.js';
import { MERGE_REQUESTS } from './merge-request-policy.js';
import { NOTIFICATIONS } from './notification-policy.js';
import { at, group, OPEN, project, STALE, type Operation, type Rule } from './operation.js';
import { TODOS } from './todo-policy.js';
import { TOKENS } from './token-policy.js';
import type { Place } from './world.js';

const READ_USER = ['read_user'] as const;

const GENERAL: Operation[] = [
  {
    route: 'GET /openapi.json',
    path: () => '/openapi.json',
    who: 'anyone',
    allowed: 200,
    blind: true,
  },
  {
    route: 'GET /application/settings',
    path: () => '/application/settings',
    who: 'admin',
    allowed: 200,
  },
  {
    route: 'PUT /application/settings',
    path: () => '/application/settings',
    who: 'admin',
    allowed: 400,
    body: { signup_enabled: 'perhaps' },
  },
  {
    route: 'GET /version',
    path: () => '/version',
    who: 'signed_in',
    allowed: 200,
    scopes: READ_USER,
  },
  {
    route: 'GET /metadata',
    path: () => '/metadata',
    who: 'signed_in',
    allowed: 200,
    scopes: READ_USER,
  },
];

const SEARCHED = '/search?scope=issues&search=nothing';

const SEARCH: Operation[] = [
  { route: 'GET /search', path: () => SEARCHED, who: 'signed_in', allowed: 200 },
  {
    route: 'GET /groups/:id/search',
    path: at('groups', SEARCHED),
    who: { in: 'group', role: 'guest', open: 'signed_in' },
    allowed: 200,
    anonymous: 401,
  },
  {
    route: 'GET /projects/:id/search',
    path: at('projects', SEARCHED),
    who: { in: 'project', role: 'guest', open: 'signed_in' },
    allowed: 200,
    anonymous: 401,
  },
];

const APPLICATIONS: Operation[] = [
  { route: 'GET /applications', path: () => '/applications', who: 'admin', allowed: 200 },
  { route: 'POST /applications', path: () => '/applications', who: 'admin', allowed: 400 },
  { route: 'DELETE /applications/:id', path: () => '/applications/0', who: 'admin', allowed: 404 },
  {
    route: 'POST /applications/:id/renew-secret',
    path: () => '/applications/0/renew-secret',
    who: 'admin',
    allowed: 404,
  },
];

const USERS: Operation[] = [
  { route: 'GET /user', path: () => '/user', who: 'signed_in', allowed: 200, scopes: READ_USER },
  { route: 'PUT /user/avatar', path: () => '/user/avatar', who: 'signed_in', allowed: 400 },
  { route: 'GET /avatar', path: () => '/avatar', who: 'anyone', allowed: 400 },
  {
    route: 'GET /user/emails',
    path: () => '/user/emails',
    who: 'signed_in',
    allowed: 200,
    scopes: READ_USER,
  },
  { route: 'POST /user/emails', path: () => '/user/emails', who: 'signed_in', allowed: 400 },
  {
    route: 'GET /user/emails/:id',
    path: () => '/user/emails/0',
    who: 'signed_in',
    allowed: 404,
    scopes: READ_USER,
  },
  {
    route: 'DELETE /user/emails/:id',
    path: () => '/user/emails/0',
    who: 'signed_in',
    allowed: 404,
  },
  {
    route: 'GET /users',
    path: () => '/users',
    who: 'anyone',
    allowed: 200,
    scopes: READ_USER,
    anonymous: 403,
  },
  {
    route: 'GET /users/:id',
    path: ({ users }) => `/users/${users.developer.id}`,
    who: 'anyone',
    allowed: 200,
    scopes: READ_USER,
    anonymous: 403,
  },
  { route: 'POST /users', path: () => '/users', who: 'admin', allowed: 400 },
  { route: 'PUT /users/:id', path: () => '/users/0', who: 'admin', allowed: 404 },
  { route: 'DELETE /users/:id', path: () => '/users/0', who: 'admin', allowed: 404 },
  ...['block', 'unblock', 'activate', 'deactivate', 'ban', 'unban', 'approve', 'reject'].map(
    (action): Operation => ({
      route: `POST /users/:id/${action}`,
      path: () => `/users/0/${action}`,
      who: 'admin',
      allowed: 404,
    }),
  ),
];

const GROUPS: Operation[] = [
  { route: 'GET /groups', path: () => '/groups', who: 'anyone', allowed: 200 },
  { route: 'POST /groups', path: () => '/groups', who: 'signed_in', allowed: 400 },
  { route: 'GET /groups/:id', path: at('groups'), who: group('guest', OPEN), allowed: 200 },
  {
    route: 'GET /groups/:id/avatar',
    path: at('groups', '/avatar'),
    who: group('guest', OPEN),
    allowed: 404,
  },
  {
    route: 'PUT /groups/:id',
    path: at('groups'),
    who: group('owner'),
    allowed: 400,
    body: { visibility: 'none' },
  },
  {
    route: 'DELETE /groups/:id',
    path: at('groups'),
    who: group('owner'),
    allowed: 412,
    headers: STALE,
  },
  {
    route: 'POST /groups/:id/transfer',
    path: at('groups', '/transfer'),
    who: group('owner'),
    allowed: 400,
    body: { group_id: 'none' },
  },
  {
    route: 'GET /groups/:id/subgroups',
    path: at('groups', '/subgroups'),
    who: group('guest', OPEN),
    allowed: 200,
  },
  {
    route: 'GET /groups/:id/projects',
    path: at('groups', '/projects'),
    who: group('guest', OPEN),
    allowed: 200,
  },
  ...members('groups', group('owner'), group('guest', OPEN)),
  ...accessRequests('groups', group('owner'), group('guest', OPEN)),
  {
    route: 'GET /groups/:id/transfer_locations',
    path: at('groups', '/transfer_locations'),
    who: group('owner'),
    allowed: 200,
  },
  { route: 'GET /namespaces', path: () => '/namespaces', who: 'signed_in', allowed: 200 },
  { route: 'GET /namespaces/:id', path: () => '/namespaces/0', who: 'signed_in', allowed: 404 },
];

const PROJECTS: Operation[] = [
  { route: 'GET /projects', path: () => '/projects', who: 'anyone', allowed: 200 },
  { route: 'POST /projects', path: () => '/projects', who: 'signed_in', allowed: 400 },
  {
    route: 'POST /projects/user/:user_id',
    path: () => '/projects/user/0',
    who: 'admin',
    allowed: 400,
  },
  { route: 'GET /projects/:id', path: at('projects'), who: project('guest', OPEN), allowed: 200 },
  {
    route: 'GET /projects/:id/avatar',
    path: at('projects', '/avatar'),
    who: project('guest', OPEN),
    allowed: 404,
  },
  { route: 'PUT /projects/:id', path: at('projects'), who: project('maintainer'), allowed: 400 },
  {
    route: 'DELETE /projects/:id',
    path: at('projects'),
    who: project('owner'),
    allowed: 412,
    headers: STALE,
  },
  {
    route: 'POST /projects/:id/archive',
    path: at('spares', '/archive'),
    who: project('owner'),
    allowed: 201,
  },
  {
    route: 'POST /projects/:id/unarchive',
    path: at('projects', '/unarchive'),
    who: project('owner'),
    allowed: 201,
  },
  {
    route: 'PUT /projects/:id/transfer',
    path: at('projects', '/transfer'),
    who: project('owner'),
    allowed: 400,
  },
  {
    route: 'GET /projects/:id/jobs',
    path: at('projects', '/jobs'),
    who: project('reporter'),
    allowed: 200,
  },
  {
    route: 'GET /projects/:id/jobs/:job_id',
    path: at('projects', '/jobs/0'),
    who: project('reporter'),
    allowed: 404,
  },
  ...members('projects', project('maintainer'), project('guest', OPEN)),
  ...accessRequests('projects', project('maintainer'), project('guest', OPEN)),
  {
    route: 'GET /projects/:id/transfer_locations',
    path: at('projects', '/transfer_locations'),
    who: project('owner'),
    allowed: 200,
  },
];

const SNIPPETS: Operation[] = [
  { route: 'GET /snippets', path: () => '/snippets', who: 'signed_in', allowed: 200 },
  { route: 'GET /snippets/all', path: () => '/snippets/all', who: 'signed_in', allowed: 200 },
  { route: 'GET /snippets/public', path: () => '/snippets/public', who: 'anyone', allowed: 200 },
  { route: 'POST /snippets', path: () => '/snippets', who: 'signed_in', allowed: 400 },
  ...snippet((place) => `/snippets/${place.snippetId}`, '/snippets/:id'),
  {
    route: 'GET /projects/:id/snippets',
    path: at('projects', '/snippets'),
    who: project('guest', OPEN),
    allowed: 200,
  },
  {
    route: 'POST /projects/:id/snippets',
    path: at('projects', '/snippets'),
    who: project('reporter'),
    allowed: 400,
  },
  ...snippet(
    (place) => `/projects/${place.projectId}/snippets/${place.snippetId}`,
    '/projects/:id/snippets/:snippet_id',
  ),
];

const ISSUE = '/projects/:id/issues/:issue_iid';
const issue = ({ projectId, issueIid }: Place): string =>
  `/projects/${projectId}/issues/${issueIid}`;

const ISSUES: Operation[] = [
  { route: 'GET /issues', path: () => '/issues', who: 'signed_in', allowed: 200 },
  {
    route: 'GET /issues_statistics',
    path: () => '/issues_statistics',
    who: 'signed_in',
    allowed: 200,
  },
  {
    route: 'GET /projects/:id/issues_statistics',
    path: at('projects', '/issues_statistics'),
    who: project('guest', OPEN),
    allowed: 200,
  },
  {
    route: 'GET /projects/:id/issues',
    path: at('projects', '/issues'),
    who: project('guest', OPEN),
    allowed: 200,
  },
  {
    route: 'POST /projects/:id/issues',
    path: at('projects', '/issues'),
    who: project('guest', OPEN),
    allowed: 400,
  },
  { route: `GET ${ISSUE}`, path: issue, who: project('guest', OPEN), allowed: 200 },
  {
    route: `GET ${ISSUE}/resource_state_events`,
    path: (place) => `${issue(place)}/resource_state_events`,
    who: project('guest', OPEN),
    allowed: 200,
  },
  {
    route: `GET ${ISSUE}/resource_state_events/:event_id`,
    path: (place) => `${issue(place)}/resource_state_events/0`,
    who: project('guest', OPEN),
    allowed: 404,
  },
  ...['subscribe', 'unsubscribe'].map((verb): Operation => ({
    route: `POST ${ISSUE}/${verb}`,
    path: ({ projectId }) => `/projects/${projectId}/issues/0/${verb}`,
    who: project('guest', { open: 'signed_in' }),
    allowed: 404,
  })),
  { route: `PUT ${ISSUE}`, path: issue, who: project('reporter'), allowed: 412, headers: STALE },
  { route: `DELETE ${ISSUE}`, path: issue, who: project('owner'), allowed: 412, headers: STALE },
];

const NOTES: Operation[] = (
  [
    ['GET', '', 200],
    ['POST', '', 400],
    ['GET', '/:note_id', 404],
    ['PUT', '/:note_id', 400],
    ['DELETE', '/:note_id', 404],
  ] as const
).map(([method, rest, allowed]) => ({
  route: `${method} ${ISSUE}/notes${rest}`,
  path: (place) => `${issue(place)}/notes${rest.replace(':note_id', '0')}`,
  who: project('guest', { open: 'signed_in' }),
  allowed,
}));

const ENVIRONMENT = '/projects/:id/environments/:environment_id';
const ENVIRONMENTS: Operation[] = [
  {
    route: 'GET /projects/:id/environments',
    path: at('projects', '/environments'),
    who: project('reporter'),
    allowed: 200,
  },
  {
    route: 'POST /projects/:id/environments',
    path: at('projects', '/environments'),
    who: project('developer'),
    allowed: 400,
  },
  {
    route: `GET ${ENVIRONMENT}`,
    path: at('projects', '/environments/0'),
    who: project('reporter'),
    allowed: 404,
  },
  ...(
    [
      ['PUT', ''],
      ['POST', '/stop'],
      ['DELETE', ''],
    ] as const
  ).map(([method, rest]): Operation => ({
    route: `${method} ${ENVIRONMENT}${rest}`,
    path: at('projects', `/environments/0${rest}`),
    who: project('developer'),
    allowed: 404,
  })),
];

const MOVES: Operation[] = [
  ...(['project', 'group', 'snippet'] as const).flatMap(movesOf),
  {
    route: 'GET /storage_moves/summary',
    path: () => '/storage_moves/summary',
    who: 'admin',
    allowed: 200,
  },
  {
    route: 'GET /storage_moves/storages/:name',
    path: () => '/storage_moves/storages/default',
    who: 'admin',
    allowed: 200,
  },
  {
    route: 'PUT /storage_moves/storages/:name',
    path: () => '/storage_moves/storages/default',
    who: 'admin',
    allowed: 400,
    body: { max_in: 'none' },
  },
];

const AUDIT: Operation[] = [
  ...trail('/audit_events', () => '/audit_events', 'admin'),
  ...trail('/groups/:id/audit_events', at('groups', '/audit_events'), group('owner')),
  ...trail('/projects/:id/audit_events', at('projects', '/audit_events'), project('maintainer')),
];

const ALERTS = '/projects/:id/alert_management';
const INTEGRATION = `${ALERTS}/http_integrations/:integration_id`;
const ofAlerts = (rest: string): ((place: Place) => string) =>
  at('projects', `/alert_management${rest}`);

const ALERT_INTEGRATIONS: Operation[] = (
  [
    [`GET ${ALERTS}/http_integrations`, '/http_integrations', 200],
    [`POST ${ALERTS}/http_integrations`, '/http_integrations', 400],
    [`GET ${INTEGRATION}`, '/http_integrations/0', 404],
    [`PUT ${INTEGRATION}`, '/http_integrations/0', 404],
    [`DELETE ${INTEGRATION}`, '/http_integrations/0', 404],
    [`POST ${INTEGRATION}/reset_token`, '/http_integrations/0/reset_token', 404],
    [`GET ${INTEGRATION}/deliveries`, '/http_integrations/0/deliveries', 404],
    [`GET ${INTEGRATION}/deliveries/:delivery_id`, '/http_integrations/0/deliveries/0', 404],
    [
      `POST ${INTEGRATION}/deliveries/:delivery_id/replay`,
      '/http_integrations/0/deliveries/0/replay',
      404,
    ],
    [`POST ${ALERTS}/payload_fields`, '/payload_fields', 400],
    [`GET ${ALERTS}/settings`, '/settings', 200],
    [`PUT ${ALERTS}/settings`, '/settings', 400],
  ] as const
).map(([route, path, allowed]) => ({
  route,
  path: ofAlerts(path),
  who: project('maintainer'),
  allowed,
}));

const TEST_ALERTS: Operation[] = [
  {
    route: `POST ${INTEGRATION}/test_alert`,
    path: ofAlerts('/http_integrations/0/test_alert'),
    who: project('developer'),
    allowed: 404,
  },
];

/** Every route of the API: a route without a line here fails the tests. */
export const POLICY: readonly Operation[] = [
  ...GENERAL,
  ...APPLICATIONS,
  ...USERS,
  ...GROUPS,
  ...PROJECTS,
  ...SNIPPETS,
  ...ISSUES,
  ...NOTES,
  ...SNIPPET_NOTES,
  ...MILESTONES,
  ...LABEL_OPERATIONS,
  ...ENVIRONMENTS,
  ...MOVES,
  ...AUDIT,
  ...ALERT_INTEGRATIONS,
  ...TEST_ALERTS,
  ...MANAGED_ALERTS,
  ...READ_CODE,
  ...WRITE_CODE,
  ...MERGE_REQUESTS,
  ...ERRORS,
  ...ERROR_EVENTS,
  ...ERROR_TRACKING,
  ...EVENTS,
  ...SEARCH,
  ...NOTIFICATIONS,
  ...TODOS,
  ...TOKENS,
];

function members(kind: 'groups' | 'projects', change: Rule, read: Rule): Operation[] {
  const base = `/${kind}/:id/members`;
  const one = ({ users }: Place): string => `/members/${users.developer.id}`;
  const path = (rest: (place: Place) => string) => (place: Place) => at(kind)(place) + rest(place);
  return [
    { route: `GET ${base}`, path: path(() => '/members'), who: read, allowed: 200 },
    { route: `GET ${base}/all`, path: path(() => '/members/all'), who: read, allowed: 200 },
    {
      route: `GET ${base}/all/:user_id`,
      path: path(({ users }) => `/members/all/${users.developer.id}`),
      who: read,
      allowed: 200,
    },
    { route: `GET ${base}/:user_id`, path: path(one), who: read, allowed: 200 },
    { route: `POST ${base}`, path: path(() => '/members'), who: change, allowed: 400 },
    { route: `PUT ${base}/:user_id`, path: path(one), who: change, allowed: 400 },
    {
      route: `DELETE ${base}/:user_id`,
      path: path(({ users }) => `/members/${users.admin.id}`),
      // Leaving is everyone's who sees the container; only members and managers get further.
      who: change,
      allowed: 404,
    },
  ];
}

function accessRequests(kind: 'groups' | 'projects', manage: Rule, read: Rule): Operation[] {
  const base = `/${kind}/:id/access_requests`;
  return [
    { route: `GET ${base}`, path: at(kind, '/access_requests'), who: manage, allowed: 200 },
    // Groups and projects of the matrix take no requests: nothing is changed.
    { route: `POST ${base}`, path: at(kind, '/access_requests'), who: read, allowed: 403 },
    {
      route: `PUT ${base}/:user_id/approve`,
      path: at(kind, '/access_requests/0/approve'),
      who: manage,
      allowed: 404,
    },
    {
      route: `DELETE ${base}/:user_id`,
      path: at(kind, '/access_requests/0'),
      who: manage,
      allowed: 404,
    },
  ];
}

function trail(route: string, path: (place: Place) => string, who: Rule): Operation[] {
  return [
    { route: `GET ${route}`, path, who, allowed: 200 },
    {
      route: `GET ${route}/:audit_event_id`,
      path: (place) => `${path(place)}/0`,
      who,
      allowed: 404,
    },
  ];
}

function snippet(path: (place: Place) => string, route: string): Operation[] {
  const read = project('guest', OPEN);
  const change = project('maintainer');
  return [
    { route: `GET ${route}`, path, who: read, allowed: 200 },
    { route: `GET ${route}/raw`, path: (place) => `${path(place)}/raw`, who: read, allowed: 200 },
    {
      route: `GET ${route}/files/:ref/:file_path/raw`,
      path: (place) => `${path(place)}/files/main/notes.txt/raw`,
      who: read,
      allowed: 200,
    },
    { route: `PUT ${route}`, path, who: change, allowed: 412, headers: STALE },
    { route: `DELETE ${route}`, path, who: change, allowed: 412, headers: STALE },
  ];
}

function movesOf(kind: 'project' | 'group' | 'snippet'): Operation[] {
  const all = `/${kind}_repository_storage_moves`;
  const parameter = kind === 'snippet' ? ':id' : ':id';
  const ofOne = `/${kind}s/${parameter}/repository_storage_moves`;
  const bad = { destination_storage_name: 'none' };
  const container = (place: Place): string => {
    const id = { project: place.projectId, group: place.groupId, snippet: place.snippetId }[kind];
    return `/${kind}s/${id}/repository_storage_moves`;
  };
  const move = ':repository_storage_move_id';
  return [
    { route: `GET ${all}`, path: () => all, who: 'admin', allowed: 200 },
    { route: `GET ${all}/${move}`, path: () => `${all}/0`, who: 'admin', allowed: 404 },
    { route: `POST ${all}`, path: () => all, who: 'admin', allowed: 400, body: bad },
    {
      route: `POST ${all}/${move}/cancel`,
      path: () => `${all}/0/cancel`,
      who: 'admin',
      allowed: 404,
    },
    {
      route: `POST ${all}/${move}/retry`,
      path: () => `${all}/0/retry`,
      who: 'admin',
      allowed: 404,
    },
    { route: `GET ${ofOne}`, path: container, who: 'admin', allowed: 200 },
    {
      route: `GET ${ofOne}/${move}`,
      path: (place) => `${container(place)}/0`,
      who: 'admin',
      allowed: 404,
    },
    { route: `POST ${ofOne}`, path: container, who: 'admin', allowed: 400, body: bad },
  ];
}
