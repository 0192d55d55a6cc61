import { at, OPEN, project, type Operation } from './operation.js';

const BASE = '/projects/:id/repository';
const COMMENTS = '/commits/:sha/comments';

/**
 * Write operation of Developers and above below the repository; `allowed` = the status that proves
 * access without changing anything.
 */
function write(method: string, route: string, allowed: number): Operation {
  const path = route
    .replace(':branch', 'none')
    .replace(':tag_name', 'none')
    .replace(':file_path', 'none');
  return {
    route: `${method} ${BASE}${route}`,
    path: at('projects', `/repository${path}`),
    who: project('developer'),
    allowed,
  };
}

/** Changing code, and talking about it. */
export const WRITE_CODE: readonly Operation[] = [
  write('POST', '/branches', 400),
  write('DELETE', '/branches/:branch', 404),
  write('DELETE', '/merged_branches', 202),
  write('POST', '/tags', 400),
  write('DELETE', '/tags/:tag_name', 404),
  write('POST', '/commits', 400),
  write('POST', '/files/:file_path', 400),
  write('PUT', '/files/:file_path', 400),
  write('DELETE', '/files/:file_path', 400),
  {
    route: 'POST /projects/:id/statuses/:sha',
    path: at('projects', '/statuses/main'),
    who: project('developer'),
    allowed: 400,
  },
  {
    route: `GET ${BASE}${COMMENTS}`,
    path: at('projects', '/repository/commits/main/comments'),
    who: project('reporter', OPEN),
    allowed: 200,
  },
  {
    route: `POST ${BASE}${COMMENTS}`,
    path: at('projects', '/repository/commits/main/comments'),
    who: project('reporter', { open: 'signed_in' }),
    allowed: 400,
  },
];
