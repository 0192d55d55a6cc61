import { AT_ALL, LIMITED } from './headers.js';
import { sentMedia } from './sent-media.js';

/** @typedef {import('./schemas.js').Schema} Schema */

const MESSAGE = { $ref: '#/components/schemas/MessageError' };
const MESSAGES = { $ref: '#/components/schemas/MessagesError' };
const PLAIN = { $ref: '#/components/schemas/PlainError' };
const TOKEN = { $ref: '#/components/schemas/TokenError' };
const NESTED = { $ref: '#/components/schemas/NestedError' };
const CAPTCHA = { $ref: '#/components/schemas/CaptchaError' };

/**
 * @param {string} description
 * @param {Schema} schema
 * @param {Record<string, unknown>} examples
 */
function refusal(description, schema, examples) {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }]);
  return {
    description,
    headers: AT_ALL,
    content: { 'application/json': { schema, examples: Object.fromEntries(named) } },
  };
}

/** @param {string} message */
const message = (message) => ({ message });

/** Refusals by status. @type {Record<string, Schema>} */
const REFUSALS = {
  301: refusal('The resource was renamed or moved; `Location` is its new URL.', MESSAGE, {
    moved: message(
      'This resource has been moved permanently to https://guildhall.example.com/api/v4/projects/42',
    ),
  }),
  400: refusal(
    'Invalid request.',
    {
      anyOf: [
        { $ref: '#/components/schemas/ParametersError' },
        { $ref: '#/components/schemas/ValidationError' },
        MESSAGE,
        TOKEN,
        PLAIN,
      ],
    },
    {
      missing: { message: '400 (Bad request) "name" not given', error: 'name is missing' },
      invalid: { message: '400 (Bad request) name is invalid', error: 'name is invalid' },
      validation: { message: { name: ["can't be blank"] } },
      reason: message('400 Bad request - body is not valid UTF-8'),
      twoTokens: {
        error: 'invalid_request',
        error_description: 'Both Authorization header and payload includes access token.',
      },
    },
  ),
  401: refusal(
    'Missing or invalid credentials.',
    { anyOf: [MESSAGE, TOKEN] },
    {
      unknown: message('401 Unauthorized'),
      expired: {
        error: 'invalid_token',
        error_description: 'Token is expired. You can either do re-authorization or token refresh.',
      },
    },
  ),
  403: refusal(
    'Forbidden by role, user state or token scopes.',
    { anyOf: [MESSAGE, TOKEN] },
    {
      forbidden: message('403 Forbidden'),
      blocked: message('403 Forbidden - Your account has been blocked.'),
      scope: {
        error: 'insufficient_scope',
        error_description:
          'The request requires higher privileges than provided by the access token.',
        scope: 'api read_api',
      },
    },
  ),
  404: refusal(
    'Not found, or not visible to the viewer.',
    { anyOf: [MESSAGE, PLAIN] },
    { notFound: message('404 Project Not Found'), noRoute: { error: '404 Not Found' } },
  ),
  405: refusal(
    'Method not allowed.',
    { anyOf: [MESSAGE, PLAIN] },
    {
      moved: message('Non GET methods are not allowed for moved projects'),
      method: { error: '405 Not Allowed' },
    },
  ),
  406: refusal(
    'A `format` other than JSON was requested, or there is no auto-merge to cancel.',
    { anyOf: [PLAIN, MESSAGE] },
    {
      format: { error: "The requested format 'xml' is not supported." },
      merge: message("Can't cancel the automatic merge"),
    },
  ),
  408: refusal('The body did not arrive in time.', MESSAGE, {
    late: message('408 Request Timeout'),
  }),
  409: refusal(
    'Conflict with the current state, or suspected spam that requires a CAPTCHA.',
    { anyOf: [MESSAGE, MESSAGES, CAPTCHA] },
    {
      conflict: message('Member already exists'),
      captcha: {
        needs_captcha_response: true,
        spam_log_id: 42,
        captcha_site_key: '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI',
        message: {
          error:
            'Your snippet has been recognized as spam. ' +
            'Please, change the content or solve the reCAPTCHA to proceed.',
        },
      },
    },
  ),
  412: refusal('Changed after the date in `If-Unmodified-Since`.', MESSAGE, {
    changed: message('412 Precondition Failed'),
  }),
  413: refusal('The body is too large.', MESSAGE, {
    large: message('413 Request Entity Too Large'),
  }),
  414: refusal('The query string is too long; use a body.', MESSAGE, {
    long: message('414 Request-URI Too Large'),
  }),
  415: refusal('Unsupported media type or content encoding.', PLAIN, {
    type: { error: "The provided content-type 'application/xml' is not supported." },
  }),
  422: refusal(
    'Not possible in the current state.',
    { anyOf: [MESSAGE, { $ref: '#/components/schemas/ValidationError' }, PLAIN] },
    { state: message('422 Unprocessable Entity') },
  ),
  429: refusal(
    'Too many requests: plain text for global limits, JSON for the limits of an endpoint.',
    { anyOf: [MESSAGE, NESTED] },
    {
      endpoint: {
        message: {
          error: 'This endpoint has been requested too many times. Try again later.',
        },
      },
    },
  ),
  503: refusal('Temporarily unavailable.', MESSAGE, {
    busy: message('503 Service Unavailable'),
  }),
};

/** @type {Record<string, string>} */
const NAMES = {
  301: 'MovedPermanently',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
};

/** @type {Record<string, string[]>} */
const EXTRA_HEADERS = {
  301: ['Location'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', ...Object.keys(LIMITED), 'RateLimit-ResetTime'],
  503: ['Retry-After'],
};

const PLAIN_TEXT = { 'text/plain': { schema: { type: 'string' }, example: 'Retry later\n' } };

/** @param {string} error @param {string} text */
const protocolError = (error, text) => ({ error, error_description: text });

/** Refusals of OAuth endpoints by status: all of one form. @type {Record<string, Schema>} */
const OAUTH_REFUSALS = {
  400: protocolError('invalid_request', 'Missing required parameter: grant_type.'),
  401: protocolError(
    'invalid_client',
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  ),
  403: protocolError('unauthorized_client', 'You are not authorized to revoke this token'),
  408: protocolError('invalid_request', '408 Request Timeout'),
  413: protocolError('invalid_request', '413 Request Entity Too Large'),
  414: protocolError('invalid_request', '414 Request-URI Too Large'),
  415: protocolError(
    'invalid_request',
    "The provided content-type 'application/xml' is not supported.",
  ),
  429: protocolError('temporarily_unavailable', '429 Too Many Requests'),
  503: protocolError('temporarily_unavailable', '503 Service Unavailable'),
};

const OAUTH_ERROR = { $ref: '#/components/schemas/OAuthError' };

const OAUTH_RESPONSES = Object.fromEntries(
  Object.entries(OAUTH_REFUSALS).map(([status, example]) => {
    const { description } = REFUSALS[status] ?? {};
    return [`OAuth${NAMES[status]}`, refusal(description, OAUTH_ERROR, { refused: example })];
  }),
);

/** Answers that operations refer to instead of repeating them (API doc, Errors). */
export const RESPONSES = {
  ...OAUTH_RESPONSES,
  NotModified: {
    description: 'The body matches `If-None-Match`.',
    headers: { ...AT_ALL, ETag: { $ref: '#/components/headers/ETag' } },
  },
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([status, response]) => {
      const extra = (EXTRA_HEADERS[status] ?? []).map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]);
      const headers = { ...response.headers, ...Object.fromEntries(extra) };
      const content = { ...response.content, ...(status === '429' && PLAIN_TEXT) };
      return [NAMES[status], { ...response, headers, content }];
    }),
  ),
};

/**
 * @param {number} status
 * @param {import('../../src/core/http/paths.js').PathKind} kind
 */
export function refusalReference(status, kind) {
  if (kind === 'page') return pageRefusal(status);
  const name = kind === 'oauth' ? `OAuth${NAMES[status]}` : NAMES[status];
  if (name === undefined || !(name in RESPONSES)) {
    throw new Error(`no response for a refusal with ${status} of a path of the kind ${kind}`);
  }
  return { $ref: `#/components/responses/${name}` };
}

/** Error pages by status. @type {Record<number, string>} */
const ERROR_PAGES = {
  400: 'Error page: the request is invalid.',
  401: 'Error page: the application is unknown.',
  403: 'Error page: the user cannot authorize the application.',
  414: 'Error page: the URL is too long.',
  429: 'Error page: too many requests.',
  503: 'Error page: temporarily unavailable.',
};

/** Returns the response of an error page. @param {number} status */
function pageRefusal(status) {
  const description = ERROR_PAGES[status];
  if (description === undefined) throw new Error(`no description of an error page with ${status}`);
  return { description, headers: AT_ALL, content: { 'text/html': sentMedia('text/html') } };
}

/** A refusal, or an answer that nothing changed, that has headers only. @param {number} status */
export function bareRefusal(status) {
  const challenge = { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } };
  return {
    description: `${status === 304 ? 'Unchanged' : 'Refused'}, without a body.`,
    headers: { ...AT_ALL, ...(status === 401 && challenge) },
  };
}
