import { at, OPEN, project, type Operation } from './operation.js';

const BASE = '/projects/:id/repository';
const READER = project('reporter', OPEN);
const NO_BLOB = '0'.repeat(40);

/** Reads what a path below the repository answers to those who may. */
function read(route: string, path: string, more: Partial<Operation> = {}): Operation {
  const operation = { route: `GET ${BASE}${route}`, path: at('projects', `/repository${path}`) };
  return { ...operation, who: READER, allowed: 200, ...more };
}

/** Reading code: for everyone who sees an open project, in private ones for Reporters. */
export const READ_CODE: readonly Operation[] = [
  read('/branches', '/branches'),
  read('/branches/:branch', '/branches/main'),
  read('/tags', '/tags'),
  read('/tags/:tag_name', '/tags/none', { allowed: 404 }),
  read('/commits', '/commits'),
  read('/commits/:sha', '/commits/main'),
  read('/commits/:sha/diff', '/commits/main/diff'),
  read('/commits/:sha/refs', '/commits/main/refs'),
  read('/commits/:sha/statuses', '/commits/main/statuses'),
  read('/compare', '/compare', { allowed: 400 }),
  read('/merge_base', '/merge_base', { allowed: 400 }),
  read('/tree', '/tree'),
  read('/blobs/:sha', `/blobs/${NO_BLOB}`, { allowed: 404 }),
  read('/blobs/:sha/raw', `/blobs/${NO_BLOB}/raw`, { allowed: 404 }),
  read('/files/:file_path', '/files/README.md', { scopes: ['read_repository'] }),
  read('/files/:file_path/raw', '/files/README.md/raw', { scopes: ['read_repository'] }),
];
