/** Headers of every answer. */
export const AT_ALL = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  'X-Runtime': { $ref: '#/components/headers/X-Runtime' },
};
/** Headers of every counted answer. */
export const LIMITED = Object.fromEntries(
  ['Name', 'Limit', 'Observed', 'Remaining', 'Reset'].map((name) => [
    `RateLimit-${name}`,
    { $ref: `#/components/headers/RateLimit-${name}` },
  ]),
);

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
  ['ETag', 'Validator of the body for `If-None-Match`.', 'W/"0f3a9c27"'],
  [
    'Link',
    'Pagination links (RFC 8288): `prev`, `next`, `first` and `last`; only `next` for keyset pagination, omitted on its empty last page.',
    '',
  ],
  ['Location', 'URL of the resource, or of the page to open next.', ''],
  ['RateLimit-Limit', 'Limit in requests per minute.', 120],
  ['RateLimit-Name', 'Name of the limit.', 'throttle_authenticated_api'],
  ['RateLimit-Observed', 'Requests in the current period.', 1],
  ['RateLimit-Remaining', 'Remaining requests in the current period.', 7199],
  ['RateLimit-Reset', 'End of the current period in Unix time.', 1_767_225_600],
  [
    'RateLimit-ResetTime',
    'End of the current period as an HTTP date.',
    'Thu, 01 Jan 2026 00:00:00 GMT',
  ],
  ['Retry-After', 'Seconds to wait before a retry.', 30],
  ['WWW-Authenticate', 'Challenge of RFC 6750 for a refused token.', ''],
  ['X-Next-Page', 'Number of the next page; empty on the last one.', '3'],
  ['X-Page', 'Number of this page.', 2],
  ['X-Per-Page', 'Entries per page.', 20],
  ['X-Prev-Page', 'Number of the previous page; empty on the first one.', '1'],
  ['X-Request-Id', 'Request ID in the logs.', '01JZ8Q4M5T6V7W8X9Y0ZABCDEF'],
  ['X-Runtime', 'Duration of the request in seconds.', '0.004211'],
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

/** All headers that answers refer to. */
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
