import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTracing } from '../../src/core/tracing/tracing.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, type MadeActor } from '../support/factories.js';
import { makeMovableProject } from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
  status: { code: number };
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: ReceivedSpan[] }[];
  }[];
}

const valueOf = (attributes: Attribute[], name: string): string | number | undefined => {
  const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {};
  return stringValue ?? intValue;
};

/** A collector that keeps what it receives as OTLP over HTTP. */
class Collector {
  readonly exports: Export[] = [];
  readonly server: Server = createServer((incoming, response) => {
    void json(incoming).then((body) => {
      this.exports.push(body as Export);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });

  get spans(): ReceivedSpan[] {
    return this.exports
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans);
  }

  get services(): (string | number | undefined)[] {
    return this.exports
      .flatMap(({ resourceSpans }) => resourceSpans)
      .map(({ resource }) => valueOf(resource.attributes, 'service.name'));
  }

  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }
}

describe('the traces', () => {
  const collector = new Collector();
  const lines: string[] = [];
  const logDestination = { write: (line: string) => void lines.push(line) };
  let stopTracing: () => Promise<void>;
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let admin: MadeActor;
  beforeAll(async () => {
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    const { port } = collector.server.address() as AddressInfo;
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${port}`;
    process.env['OTEL_BSP_SCHEDULE_DELAY'] = '50';
    stopTracing = await startTracing('guildhall-web');
    app = await startTestApp({ env: { LOG_LEVEL: 'info', RATE_LIMITS: 'on' }, logDestination });
    worker = await startTestWorker(app);
    admin = await makeAdmin(app);
  });
  afterAll(async () => {
    await worker.close();
    await app.close();
    await stopTracing();
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
    collector.server.close();
  });

  const ask = (path: string, traceId: string) =>
    request(app.url)
      .get(path)
      .set({ 'private-token': admin.token, traceparent: `00-${traceId}-${PARENT}-01` });

  /** The span of a request with `traceparent`; it comes after those below it. */
  const serverSpan = (traceId: string): Promise<ReceivedSpan> =>
    eventually(() => {
      const span = collector.of(traceId).find(({ parentSpanId }) => parentSpanId === PARENT);
      if (span === undefined) throw new Error('The span of the request is missing');
      return span;
    });

  it('have a span of each request below that of the client, without its query', async () => {
    await ask('/api/v4/users/999999999?secret=hunter2', TRACE).expect(404);
    const { name, attributes } = await serverSpan(TRACE);
    expect(name).toBe('GET /api/v4/users/:id');
    expect(valueOf(attributes, 'url.path')).toBe('/api/v4/users/999999999');
    expect(valueOf(attributes, 'http.response.status_code')).toBe(404);
    expect(valueOf(attributes, 'client.address')).toBe('127.0.0.1');
    expect(JSON.stringify(collector.of(TRACE))).not.toContain('hunter2');
    expect(collector.services).toContain('guildhall-web');
  });

  it('have spans of statements and commands of Redis, without their values', async () => {
    const trace = TRACE.replace('4b', '5c');
    await ask('/api/v4/users?username=nobody-at-all', trace).expect(200);
    const { spanId } = await serverSpan(trace);
    const spans = collector.of(trace);
    const selects = spans.filter(({ name }) => name === 'SELECT');
    expect(selects.length).toBeGreaterThan(0);
    const counts = spans.filter(({ name }) => name === 'EVAL' || name === 'EVALSHA');
    expect(counts.length).toBeGreaterThan(0);
    for (const { parentSpanId } of [...selects, ...counts]) expect(parentSpanId).toBe(spanId);
    expect(valueOf(selects[0]?.attributes ?? [], 'db.query.text')).toContain('FROM users');
    expect(JSON.stringify(spans)).not.toContain('nobody-at-all');
  });

  it('have spans of Git below the request that runs it', async () => {
    const { id } = await makeMovableProject(app, admin.user);
    const trace = TRACE.replace('4b', '6d');
    await ask(`/api/v4/projects/${id}/repository/commits`, trace).expect(200);
    const { spanId } = await serverSpan(trace);
    const git = collector.of(trace).filter(({ name }) => name.startsWith('git '));
    expect(git.map(({ parentSpanId }) => parentSpanId)).toContain(spanId);
  });

  it('have a span of each job, with its statements', async () => {
    const { id } = await makeMovableProject(app, admin.user);
    const move = { destination_storage_name: 'storage2' };
    await admin.api.post(`/projects/${id}/repository_storage_moves`, move).expect(201);
    await eventually(() => {
      const jobs = collector.spans.filter(({ name }) => name.startsWith('process '));
      const below = collector.spans.filter(({ parentSpanId }) =>
        jobs.some(({ spanId }) => spanId === parentSpanId),
      );
      expect(below.map(({ name }) => name)).toEqual(expect.arrayContaining(['UPDATE', 'BEGIN']));
    });
  });

  it('are named by the lines of the log', async () => {
    const { headers } = await admin.api.get('/version').expect(200);
    const line = lines.find((one) => one.includes(String(headers['x-request-id']))) ?? '{}';
    const { trace_id } = JSON.parse(line) as { trace_id?: string };
    expect(trace_id).toMatch(/^[0-9a-f]{32}$/);
    await eventually(() => expect(collector.of(trace_id ?? '')).not.toEqual([]));
  });

  it('leave out probes', async () => {
    await request(app.url).get('/-/liveness').expect(200);
    const paths = collector.spans.map(({ attributes }) => valueOf(attributes, 'url.path'));
    expect(paths).not.toContain('/-/liveness');
  });
});
