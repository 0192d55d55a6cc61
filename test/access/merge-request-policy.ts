import { at, OPEN, project, type Operation } from './operation.js';
import type { Place } from './world.js';

const LIST = '/projects/:id/merge_requests';
const ONE = `${LIST}/:merge_request_iid`;
const READER = project('reporter', OPEN);
const COMMENTER = project('reporter', { open: 'signed_in' });

const one =
  (rest = ''): ((place: Place) => string) =>
  ({ projectId, mergeRequestIid }) =>
    `/projects/${projectId}/merge_requests/${mergeRequestIid}${rest}`;

const none =
  (rest = ''): ((place: Place) => string) =>
  ({ projectId }) =>
    `/projects/${projectId}/merge_requests/0${rest}`;

/** Merge requests: for who reads the code; who may change or merge one is its own affair. */
export const MERGE_REQUESTS: readonly Operation[] = [
  {
    route: 'GET /merge_requests',
    path: () => '/merge_requests',
    who: 'signed_in',
    allowed: 200,
  },
  { route: `GET ${LIST}`, path: at('projects', '/merge_requests'), who: READER, allowed: 200 },
  {
    route: `POST ${LIST}`,
    path: at('projects', '/merge_requests'),
    who: project('developer'),
    allowed: 400,
  },
  { route: `GET ${ONE}`, path: one(), who: READER, allowed: 200 },
  { route: `PUT ${ONE}`, path: none(), who: READER, allowed: 404, body: { title: 'New' } },
  { route: `PUT ${ONE}/merge`, path: none('/merge'), who: READER, allowed: 404 },
  {
    route: `POST ${ONE}/cancel_merge_when_pipeline_succeeds`,
    path: none('/cancel_merge_when_pipeline_succeeds'),
    who: READER,
    allowed: 404,
  },
  { route: `DELETE ${ONE}`, path: none(), who: project('owner'), allowed: 404 },
  ...['commits', 'diffs', 'changes', 'participants', 'closes_issues'].map((part): Operation => ({
    route: `GET ${ONE}/${part}`,
    path: one(`/${part}`),
    who: READER,
    allowed: 200,
  })),
  ...['subscribe', 'unsubscribe'].map((verb): Operation => ({
    route: `POST ${ONE}/${verb}`,
    path: none(`/${verb}`),
    who: COMMENTER,
    allowed: 404,
  })),
  {
    route: 'GET /projects/:id/milestones/:milestone_id/merge_requests',
    path: at('projects', '/milestones/0/merge_requests'),
    who: READER,
    allowed: 404,
  },
  { route: `GET ${ONE}/notes`, path: one('/notes'), who: COMMENTER, allowed: 200 },
  { route: `POST ${ONE}/notes`, path: one('/notes'), who: COMMENTER, allowed: 400 },
  ...(['GET', 'PUT', 'DELETE'] as const).map((method): Operation => ({
    route: `${method} ${ONE}/notes/:note_id`,
    path: one('/notes/0'),
    who: COMMENTER,
    allowed: method === 'PUT' ? 400 : 404,
  })),
];
