import { COLLECTOR_PATH } from '../error-values.js';

/** Endpoints of a project's collector; `security` takes reports of browsers. */
export type CollectorEndpoint = 'envelope' | 'store' | 'security';

/** To what a request of an SDK is addressed. */
export interface CollectorPath {
  /** ID or full path of a project, decoded; empty with an endpoint that there is none of. */
  project: string;
  endpoint: CollectorEndpoint | null;
}

const OWN = /^\/api\/([^/]+)\/(envelope|store|security)\/?$/;
/**
 * Path that SDKs derive from a DSN without a path prefix; `v4` does not match, as it has a letter.
 */
const PLAIN = /^\/api\/(\d+)\/(envelope|store|security)\/?$/;

/**
 * Reads the path of a URL; null when it is none of the collector. With and without a slash at its
 * end: SDKs put one there, and follow no redirect.
 */
export function parseCollectorPath(path: string): CollectorPath | null {
  if (!path.startsWith('/api/')) return null;
  const isOwn = path === COLLECTOR_PATH || path.startsWith(`${COLLECTOR_PATH}/`);
  const match = isOwn ? OWN.exec(path.slice(COLLECTOR_PATH.length)) : PLAIN.exec(path);
  if (match === null) return isOwn ? { project: '', endpoint: null } : null;
  const [, project = '', endpoint] = match;
  return { project: decoded(project), endpoint: endpoint as CollectorEndpoint };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No project has such a path; looking it up finds none.
    return text;
  }
}
