/** A scheme and what follows it (RFC 3986 §3.1). */
const SCHEME = /^([a-z][a-z0-9+.-]*):(.*)$/i;

/** Schemes of URLs that a browser would execute or render themselves, or of local files. */
const FORBIDDEN = new Set([
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'javascript',
  'vbscript',
  'view-source',
]);

/** Without space, control characters and what browsers read as something else. */
const URI_CHARACTERS = /^[!-~]+$/;
const UNSAFE = /["<>\\^`{|}]/;

/**
 * Returns the problems with a redirect URI, as messages that follow its name; none if it is valid.
 */
export function redirectUriProblems(uri: string): string[] {
  if (!URI_CHARACTERS.test(uri) || UNSAFE.test(uri)) return ['must be a valid URI.'];
  const [, scheme = '', rest = ''] = SCHEME.exec(uri) ?? [];
  if (scheme === '') return ['must be an absolute URI.'];
  return [
    ...(FORBIDDEN.has(scheme.toLowerCase()) ? ['is forbidden by the server.'] : []),
    ...(uri.includes('#') ? ['cannot contain a fragment.'] : []),
    ...(isOpaque(scheme, rest) ? ['must specify a scheme.'] : []),
    ...(isUsable(uri, scheme, rest) ? [] : ['must be a valid URI.']),
    ...(hasWildcard(scheme, rest) ? ['must match exactly and cannot contain a wildcard.'] : []),
  ];
}

/** `localhost:3000` and `example.com:8080/path` have no scheme but look as if they had. */
function isOpaque(scheme: string, rest: string): boolean {
  return !rest.startsWith('/') || scheme.toLowerCase() === 'localhost';
}

/** Host names contain no asterisk (RFC 1123 §2.1), and paths hardly: one is meant as a wildcard. */
function hasWildcard(scheme: string, rest: string): boolean {
  return /^https?$/i.test(scheme) && rest.includes('*');
}

/** Web addresses need a host, and none of them a name and password of someone. */
function isUsable(uri: string, scheme: string, rest: string): boolean {
  if (!/^https?$/i.test(scheme)) return isOpaque(scheme, rest) || URL.canParse(uri);
  if (isOpaque(scheme, rest)) return true;
  if (!/^\/\/[^/?#]/.test(rest) || !URL.canParse(uri)) return false;
  const { username, password } = new URL(uri);
  return username === '' && password === '';
}
