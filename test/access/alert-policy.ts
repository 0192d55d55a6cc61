import { at, project, STALE, type Operation } from './operation.js';
import type { Place } from './world.js';

const LIST = '/alert_management_alerts';
const SILENCES = '/alert_management_silences';
const ONE = `/projects/:id${LIST}/:alert_iid`;

const one =
  (rest = ''): ((place: Place) => string) =>
  ({ projectId, alertIid }) =>
    `/projects/${projectId}${LIST}/${alertIid}${rest}`;

const DEVELOPER = project('developer');

/** Updates of alerts: for Developers, everyone who can see the project. */
export const MANAGED_ALERTS: readonly Operation[] = [
  { route: `GET /projects/:id${LIST}`, path: at('projects', LIST), who: DEVELOPER, allowed: 200 },
  {
    route: `GET /projects/:id${LIST}_statistics`,
    path: at('projects', `${LIST}_statistics`),
    who: DEVELOPER,
    allowed: 200,
  },
  { route: `GET ${ONE}`, path: one(), who: DEVELOPER, allowed: 200 },
  { route: `PUT ${ONE}`, path: one(), who: DEVELOPER, allowed: 412, headers: STALE },
  {
    route: `POST ${ONE}/issue`,
    path: one('/issue'),
    who: DEVELOPER,
    allowed: 404,
    body: { issue_iid: 0 },
  },
  { route: `DELETE ${ONE}/issue`, path: one('/issue'), who: DEVELOPER, allowed: 404 },
  { route: `GET ${ONE}/notes`, path: one('/notes'), who: DEVELOPER, allowed: 200 },
  { route: `POST ${ONE}/notes`, path: one('/notes'), who: DEVELOPER, allowed: 400 },
  ...(
    [
      ['GET', '', 200],
      ['POST', '', 400],
      ['GET', '/:silence_id', 404],
      ['PUT', '/:silence_id', 400],
      ['DELETE', '/:silence_id', 404],
    ] as const
  ).map(([method, rest, allowed]) => ({
    route: `${method} /projects/:id${SILENCES}${rest}`,
    path: at('projects', `${SILENCES}${rest.replace(':silence_id', '0')}`),
    who: DEVELOPER,
    allowed,
  })),
];
