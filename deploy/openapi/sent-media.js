const BYTES = { schema: { type: 'string', format: 'binary' }, example: 'bytes' };

/**
 * Media types that handlers write themselves.
 * @type {Record<string, { schema: import('./schemas.js').Schema, example: unknown }>}
 */
const SENT = {
  'application/json': { schema: { type: 'object' }, example: {} },
  'application/octet-stream': BYTES,
  'font/woff2': BYTES,
  'image/gif': BYTES,
  'image/jpeg': BYTES,
  'image/png': BYTES,
  'image/webp': BYTES,
  'image/svg+xml': {
    schema: { type: 'string' },
    example: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
  'text/css': { schema: { type: 'string' }, example: 'body { margin: 0 }' },
  'text/html': { schema: { type: 'string' }, example: '<!doctype html><title>Guildhall</title>' },
  'text/javascript': { schema: { type: 'string' }, example: 'export {};' },
  'text/plain': { schema: { type: 'string' }, example: 'Hello\n' },
};

/**
 * The body of an answer that is no JSON of a presenter.
 * @param {string} mediaType
 */
export function sentMedia(mediaType) {
  const media = SENT[mediaType];
  if (media === undefined) throw new Error(`no example of ${mediaType}`);
  return media;
}
