import { SCOPES, type Scope } from '../../src/core/access/scopes.js';
import { at, group, OPEN, project, type Operation, type Rule } from './operation.js';

const ANY_SCOPE = Object.keys(SCOPES) as Scope[];
const OWN = '/personal_access_tokens';
const IMPERSONATION = '/users/:user_id/impersonation_tokens';
const BAD_DATE = { expires_at: 'never' };

const PERSONAL: Operation[] = [
  { route: `GET ${OWN}`, path: () => OWN, who: 'signed_in', allowed: 200 },
  { route: `GET ${OWN}/:id`, path: () => `${OWN}/0`, who: 'admin', allowed: 404, denied: 401 },
  {
    route: `POST ${OWN}/:id/rotate`,
    path: () => `${OWN}/0/rotate`,
    who: 'admin',
    allowed: 404,
    denied: 401,
  },
  { route: `DELETE ${OWN}/:id`, path: () => `${OWN}/0`, who: 'admin', allowed: 404, denied: 401 },
  {
    route: `GET ${OWN}/self`,
    path: () => `${OWN}/self`,
    who: 'signed_in',
    allowed: 200,
    scopes: ANY_SCOPE,
    by: { oauth: 400, session: 400 },
  },
  {
    route: `POST ${OWN}/self/rotate`,
    path: () => `${OWN}/self/rotate`,
    who: 'signed_in',
    allowed: 400,
    body: BAD_DATE,
    scopes: ['self_rotate'],
  },
  {
    route: 'POST /user/personal_access_tokens',
    path: () => '/user/personal_access_tokens',
    who: 'signed_in',
    allowed: 400,
  },
  {
    route: 'POST /users/:user_id/personal_access_tokens',
    path: () => '/users/0/personal_access_tokens',
    who: 'admin',
    allowed: 400,
  },
];

const IMPERSONATIONS: Operation[] = [
  { route: `GET ${IMPERSONATION}`, path: impersonation(), who: 'admin', allowed: 404 },
  { route: `POST ${IMPERSONATION}`, path: impersonation(), who: 'admin', allowed: 400 },
  {
    route: `GET ${IMPERSONATION}/:impersonation_token_id`,
    path: impersonation('/0'),
    who: 'admin',
    allowed: 404,
  },
  {
    route: `DELETE ${IMPERSONATION}/:impersonation_token_id`,
    path: impersonation('/0'),
    who: 'admin',
    allowed: 404,
  },
];

const JOB_TOKENS: Operation[] = [
  { route: 'GET /job', path: () => '/job', who: 'signed_in', allowed: 404 },
  {
    route: 'POST /projects/:id/job_tokens',
    path: at('projects', '/job_tokens'),
    who: project('developer'),
    allowed: 400,
    body: { expires_in: 'soon' },
  },
];

/** Every route about tokens, but for ending the one that is presented. */
export const TOKENS: readonly Operation[] = [
  ...PERSONAL,
  ...IMPERSONATIONS,
  ...JOB_TOKENS,
  ...resourceTokens('projects', project('maintainer'), project('guest', OPEN)),
  ...resourceTokens('groups', group('owner'), group('guest', OPEN)),
];

function impersonation(rest = ''): () => string {
  return () => `/users/0/impersonation_tokens${rest}`;
}

function resourceTokens(kind: 'projects' | 'groups', manage: Rule, see: Rule): Operation[] {
  const base = `/${kind}/:id/access_tokens`;
  const path = (rest: string) => at(kind, `/access_tokens${rest}`);
  const managed = { who: manage, denied: 401 };
  return [
    { route: `GET ${base}`, path: path(''), ...managed, allowed: 200 },
    { route: `GET ${base}/:token_id`, path: path('/0'), ...managed, allowed: 404 },
    { route: `POST ${base}`, path: path(''), who: manage, denied: 400, allowed: 400 },
    { route: `POST ${base}/:token_id/rotate`, path: path('/0/rotate'), ...managed, allowed: 404 },
    { route: `DELETE ${base}/:token_id`, path: path('/0'), ...managed, allowed: 404 },
    {
      route: `POST ${base}/self/rotate`,
      path: path('/self/rotate'),
      who: see,
      // Tokens of other resources and of people are not tokens of this one.
      allowed: 404,
      by: { oauth: 405, session: 405 },
      scopes: ['self_rotate'],
    },
  ];
}
