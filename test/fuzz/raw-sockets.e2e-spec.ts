import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerTo } from '../core/raw-http.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser } from '../support/factories.js';
import { cases, FUZZ_TIMEOUT_MS } from '../support/scale.js';

const PARALLEL = 16;

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await sharedTestApp();
  token = await makeToken(app, await makeUser(app));
});

const BAD_BYTES = ['\0', '\r', '\n', '\r\r\n', '\n\n', '\x7f', '\xff', '\t', ' ', '\u2028'];
const PATHS = ['/api/v4/version', '/api/v4/projects', '/api/v4/snippets', '/-/health', '*', '/a b'];
const METHODS = ['GET', 'POST', 'HEAD', 'get', 'GE T', 'CONNECT', 'PRI', 'TRACE', ''];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 x', 'http/1.1', ''];
const ENDS = ['\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n', ' \r\n'];

const garbage = fc.oneof(
  fc.constantFrom(...BAD_BYTES),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);

/** Framing that disagrees with itself or with the body (RFC 9112 §6, request smuggling). */
const framing = fc.constantFrom(
  ['Content-Length: 5', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding : chunked'],
  ['Transfer-Encoding:\tchunked'],
  ['Transfer-Encoding: chunked, gzip'],
  ['Content-Length: 5', 'Content-Length: 6'],
  ['Content-Length: 5, 5'],
  ['Content-Length: +5'],
  ['Content-Length: -1'],
  ['Content-Length: 0x5'],
  ['Content-Length: 99999999999999999999'],
  ['Content-Length: 5\0'],
  [' Content-Length: 5'],
  ['Content-Length: 5'],
  [],
);
const body = fc.constantFrom(
  '',
  '12345',
  '0\r\n\r\n',
  '5\r\n12345\r\n0\r\n\r\n',
  'zz\r\n12345\r\n0\r\n\r\n',
  '5;x=\0\r\n12345\r\n0\r\n\r\n',
  'ffffffffffffffff1\r\n1\r\n',
  '5\n12345\n0\n\n',
  '5\r\n123456789\r\n0\r\n\r\n',
  '0\r\nTrailer: a\r\nTrailer\r\n\r\n',
  '5\r\n12345\r\n0\r\n\r\nGET /api/v4/version HTTP/1.1\r\nHost: x\r\n\r\n',
);
const header = fc.oneof(
  fc.constantFrom('Host: a', 'Host: b', 'Host:', 'Connection: close', 'Expect: 100-continue'),
  fc.constantFrom('Upgrade: websocket', 'Range: bytes=0-', 'Accept-Encoding: \0', ': empty'),
  fc
    .tuple(fc.constantFrom('X-A', 'Sudo', 'Origin', 'PRIVATE-TOKEN', 'a b', ''), garbage)
    .map(([name, value]) => `${name}: ${value}`),
  fc.integer({ min: 1, max: 70_000 }).map((length) => `X-Long: ${'a'.repeat(length)}`),
  fc.integer({ min: 1, max: 3_000 }).map((count) => 'X-Many: 1\r\n'.repeat(count).trimEnd()),
);
const rawRequest = fc
  .record({
    method: fc.constantFrom(...METHODS),
    path: fc.oneof(
      fc.constantFrom(...PATHS),
      garbage.map((text) => `/api/v4/${text}`),
    ),
    version: fc.constantFrom(...VERSIONS),
    headers: fc.array(header, { maxLength: 5 }),
    framing,
    body,
    end: fc.constantFrom(...ENDS),
  })
  .map(({ method, path, version, headers, framing: lengths, body: bytes, end }) =>
    [`${method} ${path} ${version}`, 'Host: x', ...headers, ...lengths, '', bytes].join(end),
  );

/** Statuses of all answers on the connection. */
function statusesIn(answer: string): number[] {
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}

describe('bytes that are hardly HTTP', () => {
  it(
    'are refused or left, and never end in a server error',
    async () => {
      const batches = Math.ceil(cases({ sample: 1_500, full: 100_000 }) / PARALLEL);
      const batch = fc.array(rawRequest, { minLength: PARALLEL, maxLength: PARALLEL });
      await fc.assert(
        fc.asyncProperty(batch, async (texts) => {
          const answers = await Promise.all(
            texts.map((text) => answerTo(app.url, Buffer.from(text, 'latin1'))),
          );
          const failures = answers.flatMap(statusesIn).filter((status) => status >= 500);
          expect(failures).toEqual([]);
        }),
        { numRuns: batches },
      );
      const alive = await fetch(`${app.url}/api/v4/version`, {
        headers: { 'PRIVATE-TOKEN': token },
      });
      expect(alive.status).toBe(200);
    },
    FUZZ_TIMEOUT_MS,
  );

  it('cannot hide a second request behind the first', async () => {
    const inner = `GET /api/v4/user?private_token=${token} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const smuggled = [
      `POST /api/v4/snippets HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      `POST /api/v4/snippets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n${inner}`,
      `POST /api/v4/snippets HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `GET /api/v4/version HTTP/1.1\r\nHost: x\r\nX: a\rContent-Length: ${inner.length}\r\n\r\n${inner}`,
    ];
    for (const bytes of smuggled) {
      const answer = await answerTo(app.url, Buffer.from(bytes, 'latin1'));
      expect(statusesIn(answer)).toEqual([400]);
    }
  });
});
