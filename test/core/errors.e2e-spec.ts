import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { ProbeModule } from './probe.module.js';
import { sendRaw } from './raw-http.js';

type LogLine = Record<string, unknown>;

const lines: string[] = [];
let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({
    imports: [ProbeModule],
    env: { LOG_LEVEL: 'debug' },
    logDestination: { write: (line) => void lines.push(line) },
  });
});
afterAll(() => app.close());
beforeEach(() => void lines.splice(0));

function parsedLines(): LogLine[] {
  return lines.map((line) => JSON.parse(line) as LogLine);
}

/** The lines of one request; its own line is written when the connection is done with it. */
function linesOf(requestId: string): Promise<LogLine[]> {
  return eventually(() => {
    const own = parsedLines().filter((line) => line['request_id'] === requestId);
    if (!own.some((line) => line['ms'] !== undefined)) throw new Error('no line yet');
    return own;
  });
}

describe('an error', () => {
  it('of our own decides its answer and is logged for debuggers only', async () => {
    const { headers } = await api(app.url)
      .get('/probe/conflict')
      .expect(409, { message: 'Name has already been taken' });
    const [refusal] = await linesOf(String(headers['x-request-id']));
    expect(refusal).toMatchObject({ level: 'debug', status: 409, path: '/api/v4/probe/conflict' });
  });

  it('of the framework shows its status but not its text', async () => {
    await api(app.url).get('/probe/teapot').expect(418, { message: '418 Refused' });
  });

  it('that is unexpected is 500 with a fixed body and a stack in the log', async () => {
    const { headers } = await api(app.url)
      .get('/probe/bug')
      .expect(500, { message: '500 Internal Server Error' });
    const [failure] = await linesOf(String(headers['x-request-id']));
    expect(failure).toMatchObject({
      level: 'error',
      status: 500,
      err: { type: 'Error', message: 'the secret is 42', cause: { type: 'TypeError' } },
    });
    expect((failure?.['err'] as LogLine)['stack']).toContain('probe.module');
  });

  it('that cannot even be logged is 500, and the process goes on', async () => {
    await api(app.url).get('/probe/endless').expect(500);
    await api(app.url).get('/probe/teapot').expect(418);
  });

  it('is logged with the IDs that the client sent, unless they could be anything', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const sent = { 'x-request-id': 'edge-7/42', traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    const { headers } = await api(app.url).get('/probe/conflict').set(sent);
    expect(headers['x-request-id']).not.toBe('edge-7/42');
    const lines = await linesOf(String(headers['x-request-id']));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatchObject({ correlation_id: 'edge-7/42', trace_id: trace });
    }
    const odd = { 'x-request-id': 'a "b" c', traceparent: '00-12-34-01' };
    const refused = await api(app.url).get('/probe/conflict').set(odd);
    for (const line of await linesOf(String(refused.headers['x-request-id']))) {
      expect(Object.keys(line)).not.toEqual(expect.arrayContaining(['correlation_id']));
      expect(line).not.toHaveProperty('trace_id');
    }
  });

  it('of a statement that took too long is 503 with the reason', async () => {
    const message = '503 Service Unavailable - the query took too long, ask for less at once';
    await api(app.url).get('/probe/slow-query').expect(503, { message });
  });

  it('of an exhausted pool is 503 with the time to wait', async () => {
    const { headers } = await api(app.url)
      .get('/probe/busy-pool')
      .expect(503, { message: '503 Service Unavailable' });
    expect(headers['retry-after']).toBe('1');
  });

  it('of a value that the database cannot hold is 400', async () => {
    const message = '400 Bad request - a value cannot be stored';
    await api(app.url).get('/probe/huge-number').expect(400, { message });
  });

  it('after the answer has begun cuts the connection instead of adding to it', async () => {
    const head = 'GET /api/v4/probe/half-sent HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await sendRaw(app.url, head);
    expect(answer).toContain('{"begun":');
    expect(answer).not.toContain('500');
    expect(answer.endsWith('0\r\n\r\n')).toBe(false);
  });
});

describe('the log', () => {
  it('has one line per request with who, what and how long, without the query string', async () => {
    const { headers } = await api(app.url).get('/probe/query?private_token=&a=hunter2');
    const [line, ...others] = await linesOf(String(headers['x-request-id']));
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      level: 'info',
      method: 'GET',
      path: '/api/v4/probe/query',
      status: 200,
      ip: '127.0.0.1',
    });
    expect(line?.['ms']).toEqual(expect.any(Number));
    expect(lines.join()).not.toContain('hunter2');
  });

  it('stays one JSON object per line for every path', async () => {
    await api(app.url).get('/probe/items/%0d%0a%E2%80%A8%22%7D').expect(200);
    await eventually(() => parsedLines().some((line) => String(line['path']).includes('%0d%0a')));
    expect(lines.every((line) => line.trimEnd().split('\n').length === 1)).toBe(true);
  });

  it('marks requests whose client went away', async () => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /api/v4/probe/items HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{');
    await once(socket, 'connect');
    // The server has seen the head once a second request on another connection is answered.
    await api(app.url).get('/probe/items/1').expect(200);
    socket.destroy();
    await eventually(() => parsedLines().some((line) => line['aborted'] === true));
  });
});

describe('the connection pool', () => {
  it('is usable again after a cancelled statement', async () => {
    await api(app.url).get('/probe/slow-query').expect(503);
    const rows = await app.app.get(DataSource).query<{ one: number }[]>('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
  });
});
