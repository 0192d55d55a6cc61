import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getQueueToken } from '@nestjs/bull';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Queue } from 'bull';
import { QUEUES } from '../../src/core/durable-work/queues.js';
import type { RedisConfig } from '../../src/config/redis.js';
import { createRedis } from '../../src/core/redis.js';
import { api } from '../support/api-client.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeCertificates } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import { openPort } from '../support/listening-port.js';
import { startRedisServer } from '../support/redis-program.js';
import { startTestWorker } from '../support/worker.js';

const PASSWORD = 'correct-horse';
const folder = mkdtempSync(join(tmpdir(), 'redis-tls-'));
let server: ChildProcess;
let port: number;
let app: OwnTestApp;

function fileOf(name: string): string {
  return join(folder, name);
}

/** Starts a server that requires TLS and a client certificate of its authority. */
function startServer(): void {
  const options = {
    port: 0,
    'tls-port': port,
    'tls-cert-file': fileOf('own.crt'),
    'tls-key-file': fileOf('own.key'),
    'tls-ca-cert-file': fileOf('ca.crt'),
    'tls-auth-clients': 'yes',
    requirepass: PASSWORD,
    bind: '127.0.0.1',
    save: '',
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  server = startRedisServer(args, folder);
}

async function readiness(): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${app.url}/-/readiness`);
  return { status: response.status, body: await response.json() };
}

const connected = async (): Promise<void> =>
  expect(await readiness()).toMatchObject({
    status: 200,
    body: { redis_check: [{ status: 'ok' }] },
  });

beforeAll(async () => {
  makeCertificates(folder);
  const free = await openPort();
  port = free.port;
  free.handle.close();
  await once(free.handle, 'close');
  startServer();
  app = await startTestApp({
    env: {
      REDIS_URL: `rediss://:${PASSWORD}@127.0.0.1:${port}`,
      REDIS_TLS_CA_FILE: fileOf('ca.crt'),
      REDIS_TLS_CERT_FILE: fileOf('own.crt'),
      REDIS_TLS_KEY: readFileSync(fileOf('own.key'), 'utf8').replaceAll('\n', '\\n'),
      RATE_LIMITS: 'on',
    },
  });
});
afterAll(async () => {
  await app.close();
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('a Redis that requires TLS and client certificates', () => {
  it('serves the readiness check and rate limits of the web process', async () => {
    await eventually(connected);
    await eventually(async () => {
      const { headers } = await api(app.url).get('/projects');
      expect(headers['ratelimit-observed']).toBeDefined();
    });
  });

  it('delivers jobs to a worker', async () => {
    const worker = await startTestWorker(app);
    try {
      const queue = queueOf(worker);
      await queue.isReady();
      expect(queue.client.options.tls).toMatchObject({ ca: expect.any(String) });
      expect(await queue.client.ping()).toBe('PONG');
    } finally {
      await worker.close();
    }
  });

  it('is not trusted without its authority', async () => {
    const withoutAuthority = { ...(app.config.redis as RedisConfig), tls: {} };
    const client = createRedis(withoutAuthority, { lazyConnect: true });
    const failed = once(client, 'error') as Promise<[Error]>;
    // It would try again and again.
    await expect(client.connect()).rejects.toThrow('Connection is closed');
    const [error] = await failed;
    client.disconnect();
    expect(error.message).toBe('self-signed certificate in certificate chain');
  });

  it('takes no web process out of the balancer while it hangs or is gone', async () => {
    const lost = {
      status: 200,
      body: { status: 'ok', redis_check: [{ status: 'failed', message: 'does not answer' }] },
    };
    server.kill('SIGSTOP');
    try {
      expect(await readiness()).toMatchObject(lost);
    } finally {
      server.kill('SIGCONT');
    }
    await eventually(connected);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await eventually(async () => expect(await readiness()).toMatchObject(lost));
    await api(app.url).get('/projects').expect(200);
    startServer();
    await eventually(connected);
  });
});

function queueOf(worker: INestApplicationContext): Queue {
  return worker.get<Queue>(getQueueToken(QUEUES.storageMoves), { strict: false });
}
