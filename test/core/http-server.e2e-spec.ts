import { mkdir, rename, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { StorageConfig } from '../../src/config/services.js';
import { ReadinessService } from '../../src/core/health/health.controller.js';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { ProbeModule } from './probe.module.js';
import { sendRaw } from './raw-http.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the bytes in use after garbage collection. */
function memory(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const MIB = 1_048_576;

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ imports: [ProbeModule] });
});
afterAll(() => app.close());

describe('the HTTP server', () => {
  it('constructs requests and responses with the prototypes of Express', async () => {
    const host = new URL(app.url).host;
    await api(app.url)
      .get('/probe/prototypes')
      .expect(200, { request: true, response: true, host });
  });

  it('buffers little of a response that a client does not read', async () => {
    const { hostname, port } = new URL(app.url);
    const before = memory();
    const sockets = Array.from({ length: 4 }, () => {
      const socket = connect(Number(port), hostname);
      socket.once('data', () => socket.pause());
      socket.write('GET /api/v4/probe/long HTTP/1.1\r\nHost: x\r\n\r\n');
      return socket;
    });
    try {
      // Client and server share this process.
      const isLittle = (): boolean => memory() - before < 40_000_000;
      await eventually(() => sockets.every(({ bytesRead }) => bytesRead > 0));
      await eventually(isLittle, { seconds: 15, everyMs: 200 });
      const [first] = sockets;
      first?.on('data', () => undefined).resume();
      await eventually(() => (first?.bytesRead ?? 0) > 20_000_000);
    } finally {
      sockets.forEach((socket) => socket.destroy());
    }
  });

  it('responds to up to twenty pipelined requests in order', async () => {
    const get = 'GET /api/v4/probe/items/1 HTTP/1.1\r\nHost: x\r\n';
    const last = `${get}Connection: close\r\n\r\n`;
    const few = await sendRaw(app.url, `${get}\r\n`.repeat(19) + last);
    expect(few.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(20);
    const many = await sendRaw(app.url, `${get}\r\n`.repeat(600) + last);
    expect(many.split('HTTP/1.1 200 OK').length).toBeLessThan(30);
  });

  it('serves several requests on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports: (number | undefined)[] = [];
    for (const path of ['/-/health', '/api/v4/nope', '/-/liveness']) {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        httpRequest(`${app.url}${path}`, { agent }, resolve).on('error', reject).end();
      });
      ports.push(response.socket.localPort);
      for await (const chunk of response) expect(chunk).toBeDefined();
    }
    agent.destroy();
    expect(new Set(ports).size).toBe(1);
  });

  it('answers an unsupported upgrade like a plain request', async () => {
    const answer = await sendRaw(
      app.url,
      'GET /-/liveness HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it.each([
    ['content length and chunks together', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['two different lengths', 'Content-Length: 5\r\nContent-Length: 6'],
    ['a negative length', 'Content-Length: -1'],
    ['an unknown transfer coding', 'Transfer-Encoding: cow'],
    ['a header without a name', ': x'],
    ['NUL in a header', 'X-A: a\0b'],
    ['a bare carriage return', 'X-A: a\rX-B: b'],
    ['a space before the colon', 'X-A : a'],
    ['70 KiB of headers', `X-A: ${'a'.repeat(70_000)}`],
  ])('refuses %s and hangs up', async (_case, header) => {
    const head = `POST /api/v4/probe/items HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n0\r\n\r\n`;
    expect(await sendRaw(app.url, head)).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    await request(app.url).get('/-/health').expect(200);
  });

  it.each([
    { what: 'a query of 70 KiB', path: `/projects?search=${'x'.repeat(70_000)}`, status: 414 },
    { what: 'a path of 70 KiB', path: `/${'x'.repeat(70_000)}`, status: 414 },
    { what: 'a request line of 1 MiB', path: `/projects?search=${'x'.repeat(MIB)}`, status: 414 },
    { what: 'a cookie of 1 MiB', header: `Cookie: ${'a=b; '.repeat(MIB / 5)}`, status: 431 },
    { what: 'many headers', header: 'X-A: b\r\n'.repeat(50_000).trimEnd(), status: 431 },
    { what: 'a header without a colon', header: 'nonsense', status: 400 },
    { what: 'a second host', header: 'host: y', status: 400 },
  ])('responds to $what in the common error format', async ({ path, header, status }) => {
    const head = `GET /api/v4${path ?? '/projects'} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    const answer = await sendRaw(app.url, `${head}${header ?? 'X-A: b'}\r\n\r\n`);
    const [headers = '', body = ''] = answer.split('\r\n\r\n');
    expect(headers).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(headers).toContain('Content-Type: application/json');
    const { message } = JSON.parse(body) as { message: string };
    expect(message.startsWith(`${status} `)).toBe(true);
    await request(app.url).get('/-/health').expect(200);
  });

  it('writes no error into the middle of another response', async () => {
    const first = 'GET /api/v4/nope HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await sendRaw(app.url, `${first}GET /${'x'.repeat(200_000)}`);
    expect(answer).toMatch(/^(HTTP\/1\.1 404 [^]*"404 Not Found"\}|)(HTTP\/1\.1 414 [^]*)?$/);
  });

  it('refuses bad chunks of a body', async () => {
    const head =
      'POST /api/v4/probe/items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await sendRaw(app.url, `${head}zz\r\n{}\r\n0\r\n\r\n`)).toMatch(
      /^(HTTP\/1\.1 4\d\d |$)/,
    );
    await request(app.url).get('/-/health').expect(200);
  });
});

describe('health checks', () => {
  it('confirm that the process responds', async () => {
    const health = await request(app.url).get('/-/health').expect(200, 'Guildhall OK');
    expect(health.headers['content-type']).toBe('text/plain; charset=utf-8');
    await request(app.url).get('/-/liveness').expect(200, { status: 'ok' });
  });

  it('report ready, and not ready while the process stops', async () => {
    const own = await startTestApp();
    for (const { path } of Object.values(own.config.storages))
      await mkdir(path, { recursive: true });
    await eventually(async () => {
      const ready = await request(own.url).get('/-/readiness').expect(200);
      expect(ready.body).toEqual({
        status: 'ok',
        process_check: [{ status: 'ok' }],
        database_check: [{ status: 'ok' }],
        redis_check: [{ status: 'ok' }],
        storage_check: [
          { status: 'ok', labels: { storage: 'default' } },
          { status: 'ok', labels: { storage: 'storage2' } },
        ],
      });
    });
    own.app.get(ReadinessService).startStopping();
    const stopping = await request(own.url).get('/-/readiness').expect(503);
    expect(stopping.body).toMatchObject({
      status: 'failed',
      process_check: [{ status: 'failed', message: 'is stopping' }],
    });
    await own.close();
  });

  it('name what does not answer, without its address', async () => {
    const own = await startTestApp();
    const { path } = own.config.storages['storage2'] as StorageConfig;
    const other = (own.config.storages['default'] as StorageConfig).path;
    await mkdir(other, { recursive: true });
    await rm(path, { recursive: true, force: true });
    const oneLost = await request(own.url).get('/-/readiness').expect(200);
    expect(oneLost.body).toMatchObject({
      status: 'ok',
      storage_check: [{ status: 'ok' }, { status: 'failed', labels: { storage: 'storage2' } }],
    });
    await rename(other, `${other}.gone`);
    const allLost = await request(own.url).get('/-/readiness').expect(503);
    expect(allLost.body).toMatchObject({ status: 'failed', database_check: [{ status: 'ok' }] });
    await rename(`${other}.gone`, other);
    await own.dataSource.destroy();
    const { body, text } = await request(own.url).get('/-/readiness').expect(503);
    expect(body).toMatchObject({
      status: 'failed',
      database_check: [{ status: 'failed', message: 'does not answer' }],
      redis_check: [{ status: 'ok' }],
      storage_check: [
        { status: 'ok', labels: { storage: 'default' } },
        { status: 'failed', message: 'does not answer', labels: { storage: 'storage2' } },
      ],
    });
    expect(text).not.toContain(path);
    await own.dataSource.initialize();
    await own.close();
  });
});
