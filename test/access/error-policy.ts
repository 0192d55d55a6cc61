import { at, project, type Operation } from './operation.js';
import type { Place } from './world.js';

const LIST = '/error_tracking/errors';
const ONE = `/projects/:id${LIST}/:error_id`;

const one =
  (rest = ''): ((place: Place) => string) =>
  ({ projectId, errorId }) =>
    `/projects/${projectId}${LIST}/${errorId}${rest}`;

const REPORTER = project('reporter');
const DEVELOPER = project('developer');

/** Errors show users and code: for Reporters, also in public projects; Developers change them. */
export const ERRORS: readonly Operation[] = [
  { route: `GET /projects/:id${LIST}`, path: at('projects', LIST), who: REPORTER, allowed: 200 },
  { route: `GET ${ONE}`, path: one(), who: REPORTER, allowed: 200 },
  { route: `GET ${ONE}/tags`, path: one('/tags'), who: REPORTER, allowed: 200 },
  { route: `GET ${ONE}/trend`, path: one('/trend'), who: REPORTER, allowed: 200 },
  { route: `PUT /projects/:id${LIST}`, path: at('projects', LIST), who: DEVELOPER, allowed: 400 },
  { route: `PUT ${ONE}`, path: one(), who: DEVELOPER, allowed: 400 },
  { route: `PATCH ${ONE}`, path: one(), who: DEVELOPER, allowed: 400 },
  {
    route: `POST ${ONE}/issue`,
    path: one('/issue'),
    who: DEVELOPER,
    allowed: 404,
    body: { issue_iid: 0 },
  },
  { route: `DELETE ${ONE}/issue`, path: one('/issue'), who: DEVELOPER, allowed: 404 },
  { route: `GET ${ONE}/merged_errors`, path: one('/merged_errors'), who: REPORTER, allowed: 200 },
  { route: `POST ${ONE}/merged_errors`, path: one('/merged_errors'), who: DEVELOPER, allowed: 400 },
  {
    route: `DELETE ${ONE}/merged_errors/:merged_error_id`,
    path: one('/merged_errors/999999999'),
    who: DEVELOPER,
    allowed: 404,
  },
];
