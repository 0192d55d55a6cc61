import { parseWebhookPath } from './raw-bodies.js';

/** Kind of a path, which decides the format of its errors. */
export type PathKind = 'api' | 'oauth' | 'page';

/**
 * Pages where users authorize and revoke applications; other paths below `/oauth` are not pages.
 */
const OAUTH_PAGES =
  /^\/oauth\/(?:authorize(?:\/(?:deny|switch))?|authorized_applications(?:\/[^/]+\/revoke)?)$/;

/** Paths that are not pages, with all below them. */
const API_PATHS: readonly (readonly [string, PathKind])[] = [
  ['/api', 'api'],
  ['/-/health', 'api'],
  ['/-/liveness', 'api'],
  ['/-/readiness', 'api'],
  ['/-/metrics', 'api'],
  ['/-/assets', 'api'],
  ['/uploads', 'api'],
  ['/oauth/token', 'oauth'],
  ['/oauth/revoke', 'oauth'],
  ['/oauth/introspect', 'oauth'],
  ['/oauth/userinfo', 'oauth'],
  ['/oauth/discovery', 'oauth'],
  ['/oauth', 'api'],
  ['/.well-known', 'oauth'],
];

/**
 * Returns the kind of a path: its errors are JSON of the API, JSON of OAuth (RFC 6749 §5.2), or a
 * page. Depends on the path only, known or not, never on the Accept header.
 */
export function pathKindOf(path: string): PathKind {
  if (OAUTH_PAGES.test(path)) return 'page';
  const found = API_PATHS.find(([start]) => path === start || path.startsWith(`${start}/`));
  if (found !== undefined) return found[1];
  return parseWebhookPath(path) === null ? 'page' : 'api';
}

/** First segment of controller paths that are not below /api/v4. No URL can hold it by chance. */
const ROOT = '~';

/**
 * Path of a controller whose routes lie at the root of the site: `@Controller(atRoot('oauth'))`.
 * Without it a controller's routes belong to the REST API.
 */
export function atRoot(path = ''): string {
  return `${ROOT}/${path}`;
}

/** The path at the root of the site of a route made by `atRoot`, null for routes of the API. */
export function rootPathOf(route: string): string | null {
  const at = route.indexOf(`/${ROOT}`);
  if (at === -1) return null;
  return route.slice(at + ROOT.length + 1) || '/';
}
