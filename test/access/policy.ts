import type { Role } from '../../src/members/roles.js';
import type { Scope } from '../../src/core/access/scopes.js';
import type { Place } from './world.js';

/** Who may: anybody, whoever is signed in, administrators, or a role in the project or group. */
export type Rule =
  | 'anyone'
  | 'signed_in'
  | 'admin'
  | {
      in: 'project' | 'group';
      role: Role;
      /** Seeing a public or internal container suffices. */
      open?: true;
      /** Refusal of those who see the container but may not; 403 unless said. */
      denied?: 401;
    };

/** One route, asked in a way that changes nothing even for those who may. */
export interface Operation {
  /** As the router knows it, below /api/v4. */
  route: string;
  path: (place: Place) => string;
  who: Rule;
  /** Status for those who may: of bad parameters or conditions where success would change something. */
  allowed: number;
  body?: object;
  headers?: Record<string, string>;
  /** Scopes of the endpoint's own. */
  scopes?: readonly Scope[];
  /** Status for anonymous callers where it is not the usual one. */
  anonymous?: number;
}

/** Older than everything: a DELETE or PUT under this condition is refused with 412. */
const STALE = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };

const project = (role: Role, more: { open?: true; denied?: 401 } = {}): Rule => ({
  in: 'project',
  role,
  ...more,
});
const group = (role: Role, more: { open?: true; denied?: 401 } = {}): Rule => ({
  in: 'group',
  role,
  ...more,
});
const OPEN = { open: true } as const;
const READ_USER = ['read_user'] as const;

const GENERAL: Operation[] = [
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

const USERS: Operation[] = [
  { route: 'GET /user', path: () => '/user', who: 'signed_in', allowed: 200, scopes: READ_USER },
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
  ...members('projects', project('maintainer'), project('guest', OPEN)),
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

/** Every route of the API: a route without a line here fails the tests. */
export const POLICY: readonly Operation[] = [
  ...GENERAL,
  ...USERS,
  ...GROUPS,
  ...PROJECTS,
  ...SNIPPETS,
  ...MOVES,
  ...AUDIT,
];

function at(kind: 'groups' | 'projects' | 'spares', rest = ''): (place: Place) => string {
  if (kind === 'groups') return ({ groupId }) => `/groups/${groupId}${rest}`;
  return ({ projectId, spareId }) => `/projects/${kind === 'spares' ? spareId : projectId}${rest}`;
}

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
      // Leaving is everybody's who sees the container; only members and managers get further.
      who: change,
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
