import { at, project, STALE, type Operation } from './operation.js';

const BASE = '/projects/:id/error_tracking';
const KEYS = `${BASE}/client_keys`;

/**
 * Error tracking settings of a project: for Maintainers; anonymous requests get 404. The project
 * has the maximum number of keys.
 */
export const ERROR_TRACKING: readonly Operation[] = (
  [
    [`GET ${BASE}/settings`, '/settings', 200],
    [`PATCH ${BASE}/settings`, '/settings', 400],
    [`PUT ${BASE}/settings`, '/settings', 412],
    [`GET ${KEYS}`, '/client_keys', 200],
    [`POST ${KEYS}`, '/client_keys', 400],
    [`DELETE ${KEYS}`, '/client_keys', 400],
    [`DELETE ${KEYS}/:key_id`, '/client_keys/0', 404],
    [`GET ${BASE}/usage`, '/usage', 200],
  ] as const
).map(([route, rest, allowed]) => ({
  route,
  path: at('projects', `/error_tracking${rest}`),
  who: project('maintainer'),
  anonymous: 401,
  allowed,
  ...(allowed === 412 && { headers: STALE, body: { active: false, integrated: false } }),
}));
