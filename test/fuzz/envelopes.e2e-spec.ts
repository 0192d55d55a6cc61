import { beforeAll, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { openCollector, type OpenCollector } from '../error-tracking/collector-place.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { cases, FUZZ_TIMEOUT_MS } from '../support/scale.js';

const PARALLEL = 8;
/** No answer takes this long, however busy the machine is. */
const PATIENCE_MS = 10_000;

let app: TestApp;
let place: OpenCollector;
beforeAll(async () => {
  app = await sharedTestApp();
  place = await openCollector(app);
});

const FRAME = { filename: 'app.js', function: 'run', lineno: 7, in_app: true };
const EVENT = {
  event_id: 'a'.repeat(32),
  timestamp: 1_772_000_000.5,
  platform: 'node',
  level: 'error',
  exception: { values: [{ type: 'E', value: 'v 1', stacktrace: { frames: [FRAME] } }] },
  tags: { a: 1 },
  user: { id: 7, ip_address: '{{auto}}' },
  request: { url: 'http://a/?b=c', headers: [['Cookie', 'd']] },
  breadcrumbs: [{ timestamp: 1, message: 'x' }],
  contexts: { os: { name: 'Linux' } },
};

/** Names that mean something, so that what is below them gets read. */
const name = fc.constantFrom(...Object.keys(EVENT), ...Object.keys(FRAME), ...words());
function words(): string[] {
  const rest = 'values value type stacktrace frames headers cookies message logentry params data';
  const traps = '__proto__ constructor toString length then toJSON';
  return `${rest} fingerprint sdk debug_meta threads release ${traps}`.split(' ');
}
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', '{{auto}}', '{{ default }}', '\u0000'),
  fc.constantFrom<unknown>('\ud800', '🦊'.repeat(100), '4111 1111 1111 1111', 'x'.repeat(10_000)),
  fc.string(),
  fc.double({ noNaN: true }),
);
const json = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;
/** An object with the shape of an event, in which anything may stand anywhere. */
const event = fc
  .dictionary(name, json, { maxKeys: 5, noNullPrototype: true })
  .map((changes) => JSON.stringify({ ...EVENT, ...changes }));

const ITEMS = ['session', 'transaction', 'attachment', 'client_report', 'log', 'brand_new', ''];
const item = fc.tuple(fc.constantFrom(...ITEMS), json).map(([type, value]) => {
  const payload = JSON.stringify(value);
  return `{"type":"${type}","length":${Buffer.byteLength(payload)}}\n${payload}`;
});
const envelope = fc
  .tuple(event, fc.array(item, { maxLength: 3 }), fc.boolean(), fc.uuid())
  .map(([text, others, hasLength, id]) => {
    const length = hasLength ? `,"length":${Buffer.byteLength(text)}` : '';
    const all = [...others, `{"type":"event"${length}}\n${text}`];
    return Buffer.from(`{"event_id":"${id}"}\n${all.join('\n')}`);
  });

const PACKERS: [string | null, (bytes: Uint8Array) => Uint8Array][] = [
  [null, (bytes) => bytes],
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
];
const packer = fc.constantFrom(...PACKERS);

interface Damage {
  at: number;
  kind: 'cut' | 'change' | 'insert' | 'repeat';
  bytes: Uint8Array;
}
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('cut', 'change', 'insert', 'repeat'),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.constantFrom('\n', '{', '"length":', '-1', '\u0000', '1e9').map((text) => Buffer.from(text)),
  ),
});

function damaged(body: Uint8Array, { at, kind, bytes }: Damage): Buffer {
  const place = Math.floor(at * body.length);
  const [before, after] = [body.subarray(0, place), body.subarray(place)];
  if (kind === 'cut') return Buffer.from(before);
  if (kind === 'insert') return Buffer.concat([before, bytes, after]);
  if (kind === 'repeat') return Buffer.concat([before, after, after]);
  return Buffer.concat([before, bytes, after.subarray(bytes.length)]);
}

async function post(
  body: Uint8Array,
  encoding: string | null,
  endpoint = 'envelope',
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${place.base}/${endpoint}/?sentry_key=${place.key}`, {
    method: 'POST',
    headers: encoding === null ? {} : { 'Content-Encoding': encoding },
    body: body as BodyInit,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return { status: response.status, text: await response.text() };
}

/** Tries the cases several at a time. */
async function tryAll<T>(
  arbitrary: fc.Arbitrary<T>,
  runs: { sample: number; full: number },
  check: (value: T) => Promise<void>,
): Promise<void> {
  const many = fc.array(arbitrary, { minLength: PARALLEL, maxLength: PARALLEL });
  const property = fc.asyncProperty(many, async (values) => {
    await Promise.all(values.map(check));
  });
  await fc.assert(property, { numRuns: Math.ceil(cases(runs) / PARALLEL) });
}

describe('envelopes', () => {
  it(
    'that are valid are taken, whatever their events hold',
    async () => {
      await tryAll(
        fc.tuple(envelope, packer),
        { sample: 200, full: 20_000 },
        async ([body, [encoding, pack]]) => {
          const { status, text } = await post(pack(body), encoding);
          expect([status, text]).toEqual([200, expect.stringMatching(/^\{"id":"[0-9a-f]{32}"\}$/)]);
        },
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'that are damaged are taken or refused, and never end in a mistake of ours',
    async () => {
      const made = fc.tuple(envelope, packer, damage, fc.boolean());
      await tryAll(
        made,
        { sample: 200, full: 20_000 },
        async ([body, [encoding, pack], harm, isInside]) => {
          const sent = isInside ? pack(damaged(body, harm)) : damaged(pack(body), harm);
          const { status, text } = await post(sent, encoding);
          expect([200, 400, 413]).toContain(status);
          expect(typeof JSON.parse(text)).toBe('object');
        },
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'that are noise are refused by every endpoint',
    async () => {
      const noise = fc.tuple(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(null, 'gzip', 'deflate', 'br', 'compress'),
        fc.constantFrom('envelope', 'store', 'security'),
      );
      await tryAll(noise, { sample: 200, full: 20_000 }, async ([bytes, encoding, endpoint]) => {
        const { status } = await post(bytes, encoding, endpoint);
        expect([200, 400, 413, 415]).toContain(status);
      });
    },
    FUZZ_TIMEOUT_MS,
  );
});
