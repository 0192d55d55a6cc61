import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { effortOfAnswer } from '../support/effort.js';
import { eventually } from '../support/eventually.js';
import { IS_FULL } from '../support/scale.js';
import { EVENT_ID, HEADER, openCollector, SMALL, type OpenCollector } from './collector-place.js';

const MIB = 1_048_576;
/** The full run holds the figures; the sample shares its machine with other tests. */
const MOST_EFFORT = IS_FULL ? 1 : 5;
const MAX_GROWTH = IS_FULL ? 20 * MIB : 100 * MIB;

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const EVENT_START = `${HEADER}\n{"type":"event"}\n"`;
const zeros = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(EVENT_START), Buffer.alloc(bytes)]);

/** A gzip body that unpacks to the text and so many times 10 MiB: members follow each other. */
function gzipMembers(start: string, count: number, fill = '\0'): Buffer {
  const part = gzipSync(Buffer.alloc(10 * MIB, fill), { level: 1 });
  return Buffer.concat([gzipSync(start), ...Array<Buffer>(count).fill(part)]);
}

/** Packed in a moment instead of seconds. */
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };

const BOMBS: [string, string, () => Buffer][] = [
  ['1 GiB as gzip', 'gzip', () => gzipMembers(EVENT_START, 103)],
  ['64 MiB as gzip', 'gzip', () => gzipSync(zeros(64 * MIB))],
  ['64 MiB as deflate', 'deflate', () => deflateSync(zeros(64 * MIB))],
  ['64 MiB as deflate without its header', 'deflate', () => deflateRawSync(zeros(64 * MIB))],
  ['64 MiB as brotli', 'br', () => brotliCompressSync(zeros(64 * MIB), QUICKLY)],
];

describe('a body that unpacks to very much', () => {
  it.each(BOMBS)('is refused at once, without taking memory: %s', async (_, encoding, make) => {
    const place = await openCollector(app);
    const bomb = make();
    const headers = { 'Content-Encoding': encoding };
    const send = async (): Promise<void> => {
      const response = await place.send(bomb, { headers });
      expect(response.status).toBe(413);
      await response.arrayBuffer();
    };
    expect(await effortOfAnswer(send)).toBeLessThan(MOST_EFFORT);
    const before = process.memoryUsage.rss();
    for (let round = 0; round < 3; round += 1) await send();
    expect(process.memoryUsage.rss() - before).toBeLessThan(MAX_GROWTH);
    expect(await place.events()).toEqual([]);
  });

  it('is just data inside of gzip', async () => {
    const place = await openCollector(app);
    const inner = gzipSync(zeros(64 * MIB));
    const body = Buffer.concat([
      Buffer.from(`${HEADER}\n{"type":"attachment","length":${inner.length}}\n`),
      inner,
    ]);
    const headers = { 'Content-Encoding': 'gzip' };
    expect(await place.answer(gzipSync(body), { headers })).toEqual({
      status: 200,
      body: { id: EVENT_ID },
    });
  });

  it('is refused above 100 MiB even when nothing of it is kept', async () => {
    const place = await openCollector(app);
    const noise = randomBytes(MIB).toString('latin1').replaceAll('\n', ' ');
    const start = `{}\n{"type":"attachment"}\n${noise}`;
    const headers = { 'Content-Encoding': 'gzip' };
    const tooMuch = gzipMembers(start, 10);
    expect((await place.send(tooMuch, { headers })).status).toBe(413);
    const allowed = gzipMembers(start, 9);
    expect(await place.answer(allowed, { headers })).toEqual({ status: 200, body: {} });
  });

  it.each([
    ['an attachment', '{}\n{"type":"attachment"}\n', '\0'],
    ['blank lines', '{}\n', '\n'],
  ])('is refused where it unpacks to a hundred times its size: %s', async (_, start, fill) => {
    const place = await openCollector(app);
    const headers = { 'Content-Encoding': 'gzip' };
    const refused = await place.send(gzipMembers(start, 9, fill), { headers });
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      causes: ['the body unpacks to too much for its size'],
    });
  });
});

describe('a large body', () => {
  it('with an attachment of 15 MiB before the event is taken, packed or not', async () => {
    const place = await openCollector(app);
    const head = Buffer.from(`${HEADER}\n{"type":"attachment","length":${15 * MIB}}\n`);
    const noise = Buffer.alloc(15 * MIB, Buffer.from('0123456789abcdefghij\n'));
    const tail = Buffer.from('\n{"type":"event"}\n{"message":"m"}');
    const body = Buffer.concat([head, noise, tail]);
    const taken = { status: 200, body: { id: EVENT_ID } };
    expect(await place.answer(body)).toEqual(taken);
    const headers = { 'Content-Encoding': 'deflate' };
    expect(await place.answer(deflateSync(body, { level: 0 }), { headers })).toEqual(taken);
    expect(await place.events()).toHaveLength(1);
  });

  it('may hold an event of 1 MiB, packed and not', async () => {
    const place = await openCollector(app);
    const message = JSON.stringify({ message: 'm', extra: { x: 'x'.repeat(MIB - 40) } });
    const body = `${HEADER}\n{"type":"event"}\n${message}`;
    expect((await place.send(body)).status).toBe(200);
    const packed = gzipSync(body.replace(EVENT_ID, 'c'.repeat(32)));
    expect((await place.send(packed, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(
      200,
    );
    expect(await place.events()).toHaveLength(2);
  });

  it('is refused by the older endpoint above 1 MiB, or 200 KiB when packed', async () => {
    const place = await openCollector(app);
    const noise = Buffer.alloc(300 * 1024, Buffer.from('0123456789'));
    const packed = gzipSync(noise, { level: 0 });
    const gzip = { endpoint: 'store', headers: { 'Content-Encoding': 'gzip' } };
    const refused = [
      await place.send(`{"x":"${'x'.repeat(MIB)}"}`, { endpoint: 'store' }),
      await place.send(packed, gzip),
      await place.send(gzipSync(Buffer.alloc(2 * MIB, ' ')), gzip),
      await place.send(packed.toString('base64'), { endpoint: 'store' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
  });
});

/** Begins a request over a socket of its own; what was answered so far. */
function begin(place: OpenCollector, headers: string[]): { socket: Socket; answer: () => string } {
  const { hostname, port } = new URL(app.url);
  const path = `${new URL(place.base).pathname}/envelope/?sentry_key=${place.key}`;
  let answer = '';
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`);
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  // A server that hangs up on it is a fine answer.
  socket.on('error', () => undefined);
  return { socket, answer: () => answer };
}

describe('a client', () => {
  it('that announces 21 MiB is refused unread, and cut off when it sends on', async () => {
    const place = await openCollector(app);
    const { socket, answer } = begin(place, [`Content-Length: ${21 * MIB}`]);
    await eventually(() => answer().includes('413 Payload Too Large'));
    expect(answer()).toContain('X-Sentry-Error: 413 Request Entity Too Large');
    await eventually(() => {
      socket.write('x');
      return socket.destroyed || !socket.writable;
    });
  });

  it('that sends on after a refusal gets to read it', async () => {
    const place = await openCollector(app);
    const { socket, answer } = begin(place, [`Content-Length: ${4 * MIB}`]);
    socket.write(EVENT_START);
    for (let part = 0; part < 4; part += 1) socket.write(Buffer.alloc(MIB - 30, 'x'));
    await eventually(() => answer().includes('413 Payload Too Large'));
    socket.destroy();
  });

  it('may send its body byte by byte, without a length', async () => {
    const place = await openCollector(app);
    const { socket, answer } = begin(place, ['Transfer-Encoding: chunked']);
    for (const byte of Buffer.from(SMALL)) {
      socket.write(`1\r\n${String.fromCharCode(byte)}\r\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.write('0\r\n\r\n');
    await eventually(() => answer().includes(`{"id":"${EVENT_ID}"}`));
    socket.destroy();
    expect(await place.events()).toHaveLength(1);
  });

  it('that goes away in the middle leaves nothing behind', async () => {
    const place = await openCollector(app);
    for (let turn = 0; turn < 70; turn += 1) {
      const { socket } = begin(place, ['Content-Length: 1000001', 'Content-Encoding: gzip']);
      await new Promise((resolve) => socket.write(Buffer.alloc(1_000_000), resolve));
      socket.destroy();
    }
    await eventually(async () => (await place.send(SMALL)).status === 200);
    expect(await place.events()).toHaveLength(1);
  });
});

describe('bodies that wait', () => {
  it('are bounded: beyond that SDKs must slow down, and freed capacity is used again', async () => {
    const place = await openCollector(app);
    const slow = Array.from({ length: 70 }, () => {
      const begun = begin(place, ['Content-Length: 1000001', 'Content-Encoding: gzip']);
      begun.socket.write(Buffer.alloc(1_000_000));
      return begun;
    });
    await eventually(() => slow.some(({ answer }) => answer().includes('429 Too Many Requests')));
    const refused = slow.map(({ answer }) => answer()).find((answer) => answer !== '') ?? '';
    expect(refused).toContain('Retry-After: 30\r\n');
    expect(refused).toContain(
      'X-Sentry-Rate-Limits: 30:error;default;transaction:project:backpressure\r\n',
    );
    for (const { socket } of slow) socket.destroy();
    await eventually(async () => (await place.send(SMALL)).status === 200);
  });
});
