import { APPLICATION_SCOPES, type Scope } from '../../core/access/scopes.js';
import { ValidationFailedError, type ValidationMessages } from '../../core/errors.js';

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
function redirectUriProblems(uri: string): string[] {
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

/** The loopback addresses of RFC 8252 §7.3; `localhost` is a name that can be anyone's (§8.3). */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/** Redirect attributes of an application. */
interface RedirectRules {
  redirectUris: readonly string[];
  confidential: boolean;
}

/**
 * Returns true if responses can be sent to `uri`: byte for byte one of the registered ones (RFC
 * 9700 §2.1). Native applications, which cannot keep a secret, can use any port of the device's
 * loopback address (RFC 8252 §7.3).
 */
export function isRegistered(uri: string, { redirectUris, confidential }: RedirectRules): boolean {
  if (redirectUris.includes(uri)) return true;
  if (confidential || !LOOPBACK.test(uri) || !URL.canParse(uri)) return false;
  const asked = withoutPort(uri);
  return redirectUris.some((known) => LOOPBACK.test(known) && withoutPort(known) === asked);
}

function withoutPort(uri: string): string {
  return uri.replace(LOOPBACK, '$1');
}

/** Returns the host of a web redirect URI, or the scheme of an app, for display. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? host : `${protocol}//`;
}

const MAX_NAME = 255;
const MAX_URI = 2_048;
const MAX_URIS = 50;

/** Attributes of an application, as they were sent. */
export interface ApplicationInput {
  name: string;
  /** One or more, separated by white space. */
  redirectUri: string;
  scopes: readonly string[];
  confidential: boolean;
  trusted: boolean;
}

/** Validated attributes of an application. */
interface ApplicationValues {
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  confidential: boolean;
  trusted: boolean;
}

/** Checks what is to be registered; throws ValidationFailedError with all that is wrong. */
export function checkedApplication(input: ApplicationInput): ApplicationValues {
  const name = input.name.trim();
  const redirectUris = [...new Set(input.redirectUri.split(/\s+/).filter((uri) => uri !== ''))];
  const scopes = [...new Set(input.scopes.filter((scope) => scope !== ''))];
  const messages: ValidationMessages = {};
  addTo(messages, 'name', nameProblems(name));
  addTo(messages, 'redirect_uri', listProblems(redirectUris));
  addTo(messages, 'scopes', scopeProblems(scopes));
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
  const { confidential, trusted } = input;
  return { name, redirectUris, scopes: scopes as Scope[], confidential, trusted };
}

function addTo(messages: ValidationMessages, attribute: string, problems: string[]): void {
  if (problems.length > 0) messages[attribute] = problems;
}

function nameProblems(name: string): string[] {
  if (name === '') return ["can't be blank"];
  if (name.length > MAX_NAME) return [`is too long (maximum is ${MAX_NAME} characters)`];
  // Shown on the consent screen: no characters that hide or reorder text.
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) ? ['is invalid'] : [];
}

function listProblems(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["can't be blank"];
  if (uris.length > MAX_URIS) return [`is too long (maximum is ${MAX_URIS} addresses)`];
  if (uris.some((uri) => uri.length > MAX_URI)) {
    return [`is too long (maximum is ${MAX_URI} characters)`];
  }
  return [...new Set(uris.flatMap(redirectUriProblems))];
}

function scopeProblems(scopes: readonly string[]): string[] {
  if (scopes.length === 0) return ["can't be blank"];
  const isKnown = scopes.every((scope) =>
    (APPLICATION_SCOPES as readonly string[]).includes(scope),
  );
  return isKnown ? [] : ["doesn't match configured on the server."];
}
