/** @typedef {import('./schemas.js').Schema} Schema */

/** What every operation below /api refers to instead of repeating it (API doc, Errors and Limits). */

const MESSAGE = { $ref: '#/components/schemas/MessageError' };
const PLAIN = { $ref: '#/components/schemas/PlainError' };
const TOKEN = { $ref: '#/components/schemas/TokenError' };

/** Bodies of refusals; the names are ours, the forms are those of the API doc. */
export const ERROR_SCHEMAS = {
  MessageError: {
    description: 'A refusal with one text.',
    type: 'object',
    properties: { message: { type: 'string', description: 'Status and reason.' } },
    required: ['message'],
  },
  PlainError: {
    description: 'A refusal whose text stands under `error`.',
    type: 'object',
    properties: { error: { type: 'string', description: 'Status and reason.' } },
    required: ['error'],
  },
  ParametersError: {
    description: 'Parameters that are missing or break their declaration.',
    type: 'object',
    properties: {
      message: { type: 'string', description: 'The first missing attribute, or all problems.' },
      error: { type: 'string', description: 'All problems in the order of declaration.' },
    },
    required: ['message', 'error'],
  },
  ValidationError: {
    description: 'Messages per attribute; an embedded entity nests an object of the same form.',
    type: 'object',
    properties: {
      message: {
        type: 'object',
        description: 'Attributes with their messages.',
        additionalProperties: {
          anyOf: [
            { type: 'array', items: { type: 'string' } },
            { type: 'string' },
            { type: 'object' },
          ],
        },
      },
    },
    required: ['message'],
  },
  TokenError: {
    description: 'A token that is not good for the request (RFC 6750, section 3.1).',
    type: 'object',
    properties: {
      error: { type: 'string', description: 'Code of the refusal.' },
      error_description: { type: 'string', description: 'Reason for people.' },
      scope: { type: 'string', description: 'Scopes of which one is needed.' },
    },
    required: ['error', 'error_description'],
  },
};

const AT_ALL = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'X-Runtime': { $ref: '#/components/headers/X-Runtime' },
};
const LIMITED = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
};

/** Headers of every answer of the API. */
export const COMMON_HEADERS = { ...AT_ALL, ...LIMITED };

/** Headers of a page by its number; a keyset page has only `Link`. */
export const PAGE_HEADERS = Object.fromEntries(
  ['Link', 'X-Page', 'X-Per-Page', 'X-Next-Page', 'X-Prev-Page', 'X-Total', 'X-Total-Pages'].map(
    (name) => [name, { $ref: `#/components/headers/${name}` }],
  ),
);

/** @type {[string, string, string | number][]} */
const HEADER_TEXTS = [
  ['ETag', 'Validator of the body: send it back as `If-None-Match`.', 'W/"0f3a9c27"'],
  ['Link', 'RFC 8288: `prev`, `next`, `first` and `last`; of a keyset page `next` only.', ''],
  ['Location', 'Where the resource is now.', ''],
  ['RateLimit-Limit', 'Requests that the narrowest limit allows per period.', 7200],
  ['RateLimit-Remaining', 'How many of them are left.', 7199],
  ['RateLimit-Reset', 'When the period is over, in seconds since 1970.', 1_767_225_600],
  ['Retry-After', 'Seconds to wait before the next try.', 30],
  ['WWW-Authenticate', 'Challenge of RFC 6750 where a token was refused.', ''],
  ['X-Next-Page', 'Number of the next page; empty on the last one.', '3'],
  ['X-Page', 'Number of this page.', 2],
  ['X-Per-Page', 'Entries per page.', 20],
  ['X-Prev-Page', 'Number of the page before; empty on the first one.', '1'],
  ['X-Request-Id', 'Names the request in the logs.', '01JZ8Q4M5T6V7W8X9Y0ZABCDEF'],
  ['X-Runtime', 'Seconds that the answer took.', '0.004211'],
  ['X-Total', 'Number of entries; absent above 10,000.', 57],
  ['X-Total-Pages', 'Number of pages; absent above 10,000 entries.', 3],
];

const LINK =
  '<https://guildhall.example.com/api/v4/projects?page=3&per_page=20>; rel="next", ' +
  '<https://guildhall.example.com/api/v4/projects?page=1&per_page=20>; rel="first"';
/** @type {Record<string, string>} */
const LONG_EXAMPLES = {
  Link: LINK,
  Location: 'https://guildhall.example.com/api/v4/projects/42',
  'WWW-Authenticate': 'Bearer realm="Protected by OAuth 2.0", error="invalid_token"',
};

export const HEADERS = Object.fromEntries(
  HEADER_TEXTS.map(([name, description, example]) => [
    name,
    {
      description,
      schema: { type: typeof example === 'number' ? 'integer' : 'string' },
      example: LONG_EXAMPLES[name] ?? example,
    },
  ]),
);

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
  301: refusal('The resource was renamed or moved; `Location` says where to.', MESSAGE, {
    moved: message(
      'This resource has been moved permanently to https://guildhall.example.com/api/v4/projects/42',
    ),
  }),
  400: refusal(
    'Something about the request is wrong.',
    {
      anyOf: ['ParametersError', 'ValidationError', 'MessageError', 'TokenError', 'PlainError'].map(
        (name) => ({ $ref: `#/components/schemas/${name}` }),
      ),
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
    'No credentials where some are needed, or credentials that are not good.',
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
    'Not allowed: by role, by the state of the user, or by the scopes of the token.',
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
    'Not there, or not visible to the asker.',
    { anyOf: [MESSAGE, PLAIN] },
    { notFound: message('404 Project Not Found'), noRoute: { error: '404 Not Found' } },
  ),
  405: refusal(
    'Not possible in this way.',
    { anyOf: [MESSAGE, PLAIN] },
    {
      moved: message('Non GET methods are not allowed for moved projects'),
      method: { error: '405 Not Allowed' },
    },
  ),
  406: refusal('A `format` other than JSON was asked for.', PLAIN, {
    format: { error: "The requested format 'xml' is not supported." },
  }),
  408: refusal('The body did not arrive in time.', MESSAGE, {
    late: message('408 Request Timeout'),
  }),
  409: refusal('In conflict with what is there.', MESSAGE, {
    conflict: message('Member already exists'),
  }),
  412: refusal('Changed after the date in `If-Unmodified-Since`.', MESSAGE, {
    changed: message('412 Precondition Failed'),
  }),
  413: refusal('The body is too large.', MESSAGE, {
    large: message('413 Request Entity Too Large'),
  }),
  414: refusal('The query string is too long; use a body.', MESSAGE, {
    long: message('414 Request-URI Too Large'),
  }),
  415: refusal('The body has a media type or encoding that is not read.', PLAIN, {
    type: { error: "The provided content-type 'application/xml' is not supported." },
  }),
  422: refusal(
    'Understood, but not possible in the present state.',
    { anyOf: [MESSAGE, { $ref: '#/components/schemas/ValidationError' }, PLAIN] },
    { state: message('422 Unprocessable Entity') },
  ),
  429: refusal('Too many requests.', MESSAGE, { limit: message('429 Too Many Requests') }),
  503: refusal('Not able to serve at the moment.', MESSAGE, {
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
  429: ['Retry-After', ...Object.keys(LIMITED)],
  503: ['Retry-After'],
};

export const RESPONSES = {
  NotModified: {
    description: 'The body is the one that `If-None-Match` names.',
    headers: { ...AT_ALL, ETag: { $ref: '#/components/headers/ETag' } },
  },
  ...Object.fromEntries(
    Object.entries(REFUSALS).map(([status, response]) => {
      const extra = (EXTRA_HEADERS[status] ?? []).map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]);
      const headers = { ...response.headers, ...Object.fromEntries(extra) };
      return [NAMES[status], { ...response, headers }];
    }),
  ),
};

/** @param {number} status */
export function refusalReference(status) {
  const name = NAMES[status];
  if (name === undefined) throw new Error(`no response for a refusal with ${status}`);
  return { $ref: `#/components/responses/${name}` };
}

export const PARAMETERS = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag of an earlier answer: 304 when nothing has changed.',
    schema: { type: 'string' },
    example: 'W/"0f3a9c27"',
  },
  IfUnmodifiedSince: {
    name: 'If-Unmodified-Since',
    in: 'header',
    description: 'HTTP date: 412 when the resource has changed since.',
    schema: { type: 'string' },
    example: 'Thu, 15 Jan 2026 09:30:00 GMT',
  },
  Page: {
    name: 'page',
    in: 'query',
    description: 'Number of the page.',
    schema: { type: 'integer', default: 1 },
    example: 1,
  },
  PerPage: {
    name: 'per_page',
    in: 'query',
    description: 'Entries per page; more than 100 counts as 100.',
    schema: { type: 'integer', default: 20 },
    example: 20,
  },
  Sudo: {
    name: 'Sudo',
    in: 'header',
    description: 'Id or name of the user to act as; administrators with the scope `sudo` only.',
    schema: { type: 'string' },
    example: 'mallory',
  },
};

export const SECURITY_SCHEMES = {
  privateToken: {
    type: 'apiKey',
    in: 'header',
    name: 'PRIVATE-TOKEN',
    description: 'A personal, impersonation, project or group access token.',
  },
  privateTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'private_token',
    description: 'The same token as a parameter. Addresses end up in logs: prefer the header.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Any access token, also one of OAuth 2.0, as `Authorization: Bearer <token>`.',
  },
  accessTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'Any access token as a parameter. Addresses end up in logs: prefer the header.',
  },
  jobToken: {
    type: 'apiKey',
    in: 'header',
    name: 'JOB-TOKEN',
    description: 'A job token, where the operation takes one.',
  },
};
