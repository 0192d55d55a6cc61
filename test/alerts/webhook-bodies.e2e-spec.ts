import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  makeWebhook,
  postAlert,
  storedAlerts,
  type MadeIntegration,
} from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { effortOfAnswer } from '../support/effort.js';
import { eventually } from '../support/eventually.js';

/** What the refusal of a hostile body may take, see `effortOf`. */
const MOST_EFFORT = 2.5;
const MAX_BYTES = 1_048_576;
/** As many bodies of the largest size may be in the process at once. */
const ROOM = 32;

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function answerOf(response: Response) {
  return { status: response.status, body: (await response.json()) as unknown };
}

const nested = (depth: number): string =>
  `{"title":"A","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

/** A valid body of exactly so many bytes. */
const ofLength = (bytes: number): string => `{"title":"A","x":"${'x'.repeat(bytes - 20)}"}`;

const BAD_REQUEST = { status: 400, body: { message: '400 Bad request' } };

const REFUSED: [string, () => string | Buffer][] = [
  ['JSON that is cut off', () => '{"title":'],
  ['no body', () => ''],
  ['a list', () => '[{"title":"A"}]'],
  ['a text', () => '"A"'],
  ['bytes that are not UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['one byte too many', () => ofLength(MAX_BYTES + 1)],
  ['depth 101', () => nested(101)],
  ['depth 100,000', () => nested(100_000)],
  ['80,000 members', () => `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
  ['many numbers', () => `{"x":[${'1,'.repeat(500_000)}1]`],
];

describe('a hostile body', () => {
  it.each(REFUSED)('of %s is refused in time, and nothing is stored', async (_, make) => {
    const { project, integration } = await makeWebhook(app);
    const body = make();
    const spent = await effortOfAnswer(async () => {
      const response = await postAlert(integration.url, integration.token, body);
      expect(await answerOf(response)).toEqual(BAD_REQUEST);
    });
    expect(spent).toBeLessThan(MOST_EFFORT);
    expect(await storedAlerts(app, project)).toEqual([]);
  });

  it('with characters that cannot be stored is stored without them', async () => {
    const { project, integration } = await makeWebhook(app);
    const body = String.raw`{"title":"a\u0000b\ud800","hosts":["\udc00"],"x":{"\u0000":1}}`;
    const response = await postAlert(integration.url, integration.token, body);
    expect(await answerOf(response)).toEqual({
      status: 200,
      body: [{ iid: 1, title: 'a\ufffdb\ufffd' }],
    });
    expect(await storedAlerts(app, project)).toMatchObject([
      { hosts: ['\ufffd'], payload: { x: { '\ufffd': 1 } } },
    ]);
  });

  it('that unpacks to more than 1 MiB is refused in time', async () => {
    const { integration } = await makeWebhook(app);
    const body = gzipSync(Buffer.alloc(100 * 1024 * 1024, 0x20));
    const spent = await effortOfAnswer(async () => {
      expect(await answerOf(await postPacked(integration, body))).toEqual(BAD_REQUEST);
    });
    expect(spent).toBeLessThan(MOST_EFFORT);
  });

  it('that announces 10 MB is refused unread', async () => {
    const { integration } = await makeWebhook(app);
    const { socket, answer } = begin(integration, { 'Content-Length': '10000000' });
    expect(await answer).toContain('400 Bad Request');
    socket.destroy();
  });

  it('that announces more than 16 MiB is refused unread', async () => {
    const { integration } = await makeWebhook(app);
    const { socket, answer } = begin(integration, { 'Content-Length': String(17 * 1024 * 1024) });
    expect(await answer).toContain('413 Payload Too Large');
    socket.destroy();
  });

  it('does not change any prototype', async () => {
    const { project, integration } = await makeWebhook(app);
    const body = '{"title":"A","__proto__":{"polluted":1},"constructor":{"prototype":{"p":1}}}';
    expect((await postAlert(integration.url, integration.token, body)).status).toBe(200);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['p']).toBeUndefined();
    const [alert] = await storedAlerts(app, project);
    expect(Object.keys(alert?.payload as object)).toEqual(['title', 'constructor']);
  });
});

describe('an unusual body', () => {
  it('may be 1 MiB large, 99 deep, repeat names, and say any content type', async () => {
    const { project, integration } = await makeWebhook(app);
    const { url, token } = integration;
    for (const body of [ofLength(MAX_BYTES), nested(99), '{"title":"A","title":"B"}']) {
      expect((await postAlert(url, token, body)).status).toBe(200);
    }
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'text/plain' };
    const response = await fetch(url, { method: 'POST', headers, body: '{"title":"C"}' });
    expect(response.status).toBe(200);
    expect((await storedAlerts(app, project)).map(({ title }) => title)).toEqual([
      'A',
      'A',
      'B',
      'C',
    ]);
  });

  it('may be compressed', async () => {
    const { integration } = await makeWebhook(app);
    const packed = gzipSync('{"title":"Packed"}');
    expect(await answerOf(await postPacked(integration, packed))).toEqual({
      status: 200,
      body: [{ iid: 1, title: 'Packed' }],
    });
  });
});

describe('bodies that wait', () => {
  it('are bounded: beyond that calls are refused unread, and freed room is used again', async () => {
    const { integration } = await makeWebhook(app);
    const slow = Array.from({ length: ROOM + 1 }, () =>
      begin(integration, { 'Content-Length': String(MAX_BYTES) }),
    );
    expect(await Promise.race(slow.map(({ answer }) => answer))).toContain('503');
    const refused = await postAlert(integration.url, integration.token, { title: 'A' });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('Retry-After')).toBe('2');
    expect(await refused.json()).toEqual({ message: '503 Service Unavailable' });
    for (const { socket } of slow) socket.destroy();
    await eventually(async () => {
      const response = await postAlert(integration.url, integration.token, { title: 'A' });
      return response.status === 200;
    });
  });
});

function postPacked({ url, token }: MadeIntegration, body: Buffer): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' };
  return fetch(url, { method: 'POST', headers, body: body as BodyInit });
}

/** Sends the head of a call and the first byte of its body; the rest never comes. */
function begin(
  { url, token }: MadeIntegration,
  headers: Record<string, string>,
): { socket: Socket; answer: Promise<string> } {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ Host: hostname, Authorization: `Bearer ${token}`, ...headers });
  socket.write(
    `POST ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{`,
  );
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(data.toString()));
    socket.once('error', reject);
  });
  answer.catch(() => undefined);
  return { socket, answer };
}
