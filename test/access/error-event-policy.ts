import { at, project, type Operation } from './operation.js';
import type { Place } from './world.js';

const BASE = '/error_tracking';
const ERROR = `/projects/:id${BASE}/errors/:error_id`;

const one =
  (rest: string): ((place: Place) => string) =>
  ({ projectId, errorId }) =>
    `/projects/${projectId}${BASE}/errors/${errorId}${rest}`;

const REPORTER = project('reporter');

/** Stored events show users and code: for Reporters, also in public projects. */
export const ERROR_EVENTS: readonly Operation[] = [
  { route: `GET ${ERROR}/events`, path: one('/events'), who: REPORTER, allowed: 200 },
  {
    route: `GET ${ERROR}/events/:event_id`,
    path: one('/events/latest'),
    who: REPORTER,
    allowed: 200,
  },
  {
    route: `GET ${ERROR}/events/:event_id/raw`,
    path: one('/events/latest/raw'),
    who: REPORTER,
    allowed: 200,
  },
  { route: `GET ${ERROR}/stack_trace`, path: one('/stack_trace'), who: REPORTER, allowed: 200 },
  {
    route: `GET /projects/:id${BASE}/events/:event_id`,
    path: at('projects', `${BASE}/events/0`),
    who: REPORTER,
    allowed: 404,
  },
];
