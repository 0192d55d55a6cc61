import ts from 'typescript';

/** @typedef {import('./routes.js').Route} Route */
/** @typedef {import('./sources.js').HandlerSource} HandlerSource */
/** @typedef {import('./requests.js').Param} Param */

/** A handler together with everything that is known about it.
 * @typedef {object} Endpoint
 * @property {Route} route
 * @property {HandlerSource} source
 * @property {Param[]} params
 * @property {string | null} dto name of the class of its parameters
 * @property {unknown} [example] of them together, where the class gives one
 */

/**
 * Statuses with which it may refuse, in order: those of every endpoint and its own.
 * @param {Endpoint} endpoint
 */
export function refusalsOf(endpoint) {
  const { route, params } = endpoint;
  if (route.kind === 'oauth') return oauthRefusalsOf(route);
  // Every URL is read by the same rules, whatever it names.
  if (!route.path.startsWith('/api/')) return [400, ...route.errors, 414].sort((a, b) => a - b);
  if (route.scopes === null) return [400, 406, 414, 429, ...route.errors];
  const isContainer = /^\/api\/v4\/(projects|groups)\/\{id\}/.test(route.path);
  const isRead = route.method === 'get';
  const statuses = [
    ...(isContainer && isRead ? [301] : []),
    ...[400, 401, 403, 404],
    ...((isContainer && !isRead) || params.some(({ name }) => name === 'pagination') ? [405] : []),
    406,
    ...(isRead ? [] : [408, 413, 415]),
    ...(hasPreconditions(endpoint) ? [412] : []),
    ...[414, 429, 503],
    ...route.errors,
    ...route.emptyResponses,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** @param {Route} route */
function oauthRefusalsOf(route) {
  const ofBody = takesBody(route) ? [408, 413, 415] : [];
  const statuses = [400, ...ofBody, 414, ...route.errors, ...route.emptyResponses];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** Returns true if parameters are sent in a body. @param {Route} route */
export function takesBody({ method }) {
  return ['post', 'put', 'patch'].includes(method);
}

/** Returns true if it returns pages of a list. @param {Endpoint} endpoint */
export function isPaged({ source }) {
  return source.params.some(({ decorators }) => decorators.includes('Pages'));
}

/**
 * Returns true if it accepts `If-Unmodified-Since`: directly, or by a decorator that reads it.
 * @param {Endpoint} endpoint
 */
export function hasPreconditions({ route, source }) {
  if (!['put', 'patch', 'delete'].includes(route.method)) return false;
  return source.params.some(
    ({ decorators, type }) =>
      decorators.includes('IfUnmodified') || type.getProperty('preconditions') !== undefined,
  );
}

/** Returns true if the spam check applies to its sender. @param {Endpoint} endpoint */
export function isSpamChecked({ route, source }) {
  return takesBody(route) && source.params.some(({ type }) => type.getProperty('sender'));
}

/** Returns true if its response can be 304. @param {Endpoint} endpoint */
export function hasEtag({ route, source }) {
  if (route.method !== 'get' || route.status !== 200 || source.isAnswer) return false;
  const isStreamed = route.produces !== null && isVoid(source);
  return route.headers['cache-control'] === undefined && !isStreamed;
}

/** Returns true if the handler returns nothing itself. @param {HandlerSource} source */
export function isVoid({ answer }) {
  return Boolean(answer.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined));
}
