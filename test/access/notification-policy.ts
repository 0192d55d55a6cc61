import { at, group, OPEN, project, type Operation } from './operation.js';

const NOT_A_LEVEL = { level: 'none' };

/** Settings of the viewer only: they require read access to the project or group. */
export const NOTIFICATIONS: readonly Operation[] = [
  {
    route: 'GET /notification_settings',
    path: () => '/notification_settings',
    who: 'signed_in',
    allowed: 200,
  },
  {
    route: 'PUT /notification_settings',
    path: () => '/notification_settings',
    who: 'signed_in',
    allowed: 400,
    body: NOT_A_LEVEL,
  },
  {
    route: 'GET /groups/:id/notification_settings',
    path: at('groups', '/notification_settings'),
    who: group('guest', OPEN),
    allowed: 200,
    anonymous: 401,
  },
  {
    route: 'PUT /groups/:id/notification_settings',
    path: at('groups', '/notification_settings'),
    who: group('guest', OPEN),
    allowed: 400,
    body: NOT_A_LEVEL,
  },
  {
    route: 'GET /projects/:id/notification_settings',
    path: at('projects', '/notification_settings'),
    who: project('guest', { open: 'signed_in' }),
    allowed: 200,
    anonymous: 401,
  },
  {
    route: 'PUT /projects/:id/notification_settings',
    path: at('projects', '/notification_settings'),
    who: project('guest', { open: 'signed_in' }),
    allowed: 400,
    body: NOT_A_LEVEL,
  },
];
