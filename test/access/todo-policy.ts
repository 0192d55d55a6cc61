import { project, type Operation } from './operation.js';

const READER = project('guest', { open: 'signed_in' });

/** To-dos belong to the viewer; adding one requires read access to its target. */
export const TODOS: readonly Operation[] = [
  { route: 'GET /todos', path: () => '/todos', who: 'signed_in', allowed: 200 },
  {
    route: 'POST /todos/:id/mark_as_done',
    path: () => '/todos/0/mark_as_done',
    who: 'signed_in',
    allowed: 404,
  },
  ...['mark_as_done', 'mark_all_as_done'].map((name): Operation => ({
    route: `POST /todos/${name}`,
    path: () => `/todos/${name}`,
    who: 'signed_in',
    allowed: 204,
  })),
  {
    route: 'POST /projects/:id/issues/:issue_iid/todo',
    path: ({ projectId }) => `/projects/${projectId}/issues/0/todo`,
    who: READER,
    allowed: 404,
  },
  {
    route: 'POST /projects/:id/merge_requests/:merge_request_iid/todo',
    path: ({ projectId }) => `/projects/${projectId}/merge_requests/0/todo`,
    who: project('reporter', { open: 'signed_in' }),
    allowed: 404,
  },
  {
    route: 'POST /projects/:id/alert_management_alerts/:alert_iid/todo',
    path: ({ projectId }) => `/projects/${projectId}/alert_management_alerts/0/todo`,
    who: project('developer'),
    allowed: 404,
  },
];
