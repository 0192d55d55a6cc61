import { at, OPEN, project, type Operation } from './operation.js';

const READ_USER = ['read_user'] as const;

/** Whose events are listed is asked here; which of them, by tests of their own. */
export const EVENTS: readonly Operation[] = [
  {
    route: 'GET /events',
    path: () => '/events?scope=all',
    who: 'signed_in',
    allowed: 200,
    scopes: READ_USER,
  },
  {
    route: 'GET /users/:id/events',
    path: ({ users }) => `/users/${users.developer.id}/events`,
    who: 'anyone',
    allowed: 200,
    scopes: READ_USER,
  },
  {
    route: 'GET /projects/:id/events',
    path: at('projects', '/events'),
    who: project('guest', OPEN),
    allowed: 200,
    scopes: READ_USER,
  },
];
