import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { ProbeModule } from './probe.module.js';
import { answerTo } from './raw-http.js';

const PATIENCE_MS = 1_000;

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ imports: [ProbeModule] });
});
afterAll(() => app.close());

interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const PATHS = [
  '/api/v4/probe/items/',
  '/api/v4/probe/query',
  '/api/v4/probe/items',
  '/api/',
  '/-/',
];
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'text/plain',
  ';;charset',
];

const visible = fc.string({ unit: 'grapheme-ascii' });
const segment = fc.oneof(visible, fc.string({ unit: 'binary' }), fc.constantFrom('%', '%2F', '..'));
const targetTail = fc
  .array(fc.tuple(fc.constantFrom('/', '?', '&', '=', '[', ']', ';', '#'), segment))
  .map((parts) =>
    parts.map(([mark, text]) => mark + encodeURI(text.replace(/\p{Surrogate}/gu, ''))).join(''),
  );
const multipart = visible.map(
  (text) => `--b\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n${text}\r\n--b--\r\n`,
);
const body = fc.oneof(
  fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)),
  fc.oneof(visible, multipart).map((text) => Buffer.from(text)),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);
const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc.record({
  method: fc.constantFrom(...METHODS),
  path: fc.tuple(fc.constantFrom(...PATHS), targetTail).map((parts) => parts.join('')),
  headers: fc
    .tuple(fc.constantFrom(...TYPES), fc.constantFrom('identity', 'gzip', 'br', 'x', ''), visible)
    .map(([type, encoding, text]) => ({
      'Content-Type': type,
      ...(encoding !== '' && { 'Content-Encoding': encoding }),
      'If-None-Match': text,
      Origin: text,
    })),
  body: fc.option(body),
});

/** The status; throws when there is no answer in time. */
function statusOf({ method, path, headers, body: bytes }: FuzzedRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      // Node's client gives a GET body no framing of its own.
      headers: bytes === null ? headers : { ...headers, 'Content-Length': bytes.length },
      agent: false,
      path: path.replace(/[^\x21-\x7e]/g, '%'),
      timeout: PATIENCE_MS,
    };
    const request = httpRequest(app.url, options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('timeout', () => request.destroy(new Error('no answer in time')));
    request.once('error', reject);
    request.end(bytes ?? undefined);
  });
}

describe('a random request', () => {
  it('is answered in time and never with a server error', async () => {
    await fc.assert(
      fc.asyncProperty(fuzzedRequest, async (request) => {
        expect(await statusOf(request)).toBeLessThan(500);
      }),
      { numRuns: 2_000 },
    );
  }, 60_000);

  it('leaves the process alive, even when it is no HTTP at all', async () => {
    const head =
      'POST /api/v4/probe/items?a=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"a":"b"}';
    const mutation = fc.record({
      at: fc.nat(head.length - 1),
      bytes: fc.uint8Array({ maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { maxLength: 6 }), async (mutations) => {
        const bytes = Buffer.from(head);
        for (const { at, bytes: garbage } of mutations)
          bytes.set(garbage.slice(0, head.length - at), at);
        expect(await answerTo(app.url, bytes)).not.toMatch(/^HTTP\/1\.1 5/m);
      }),
      { numRuns: 500 },
    );
    expect(await statusOf({ method: 'GET', path: '/-/health', headers: {}, body: null })).toBe(200);
  }, 60_000);
});
