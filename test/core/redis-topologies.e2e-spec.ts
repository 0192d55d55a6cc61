import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import Bull from 'bull';
import { Redis } from 'ioredis';
import { ClusterConnections } from '../../src/core/durable-work/durable-work.module.js';
import { RateStore } from '../../src/core/rate-limits/rate-store.service.js';
import { makeCertificates } from '../support/certificates.js';
import { testConfig } from '../support/config.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../../deploy/local/ports.js';
import { startRedisServer } from '../support/redis-program.js';

const folder = mkdtempSync(join(tmpdir(), 'redis-topologies-'));
const servers: ChildProcess[] = [];

beforeAll(() => makeCertificates(folder));
afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL');
  rmSync(join(folder, 'nodes.conf'), { force: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function startServer(port: number, lines: string[], ...flags: string[]): void {
  const path = join(folder, `${port}.conf`);
  writeFileSync(path, ['bind 127.0.0.1', 'save ""', `dir ${folder}`, ...lines, ''].join('\n'));
  servers.push(startRedisServer([path, ...flags]));
}

/** Makes the server on the port a cluster of its own. */
async function joinSlots(port: number): Promise<void> {
  const retryStrategy = (): number => 50;
  const client = new Redis({ port, username: 'guild', password: 'secret', retryStrategy });
  client.on('error', () => undefined);
  try {
    await client.cluster('ADDSLOTSRANGE', 0, 16383);
    await eventually(async () => {
      expect(await client.cluster('INFO')).toContain('cluster_state:ok');
    });
  } finally {
    client.disconnect();
  }
}

/** Counts requests, and has a job processed, as the processes do; returns what came back. */
async function useRedis(env: Record<string, string>): Promise<unknown[]> {
  const database = { name: 'topologies', url: 'postgres://unused/unused' };
  const config = testConfig({
    database,
    baseUrl: 'http://localhost',
    dataDir: folder,
    env: { RATE_LIMITS: 'on', ...env },
  });
  const store = new RateStore(config);
  await store.onModuleInit();
  const connections = new ClusterConnections();
  const queue = new Bull<{ id: number }>('topology', connections.queueOptions(config));
  try {
    await eventually(async () => (await store.add('warm', 60)) !== null);
    const counted = await Promise.all([store.add('a', 60), store.add('b', 60), store.add('a', 60)]);
    await store.takeBack('a');
    const processed = new Promise<number>((resolve, reject) => {
      queue.process((job) => Promise.resolve(resolve(job.data.id))).catch(reject);
    });
    await queue.add({ id: 7 });
    return [...counted, await store.read(['a', 'b', 'none']), await processed];
  } finally {
    await queue.close();
    connections.close();
    store.onApplicationShutdown();
  }
}

const EVERYTHING = [1, 1, 2, ['1', '1', null], 7];

describe('Redis', () => {
  it('can be a cluster with TLS, client certificates and an ACL user', async () => {
    const port = await freePort();
    const [bus, plain] = [await freePort(), await freePort()];
    startServer(
      port,
      [
        `tls-port ${port}`,
        `port ${plain}`,
        `cluster-port ${bus}`,
        'cluster-enabled yes',
        // A node that has met no other does not know its address.
        'cluster-announce-ip 127.0.0.1',
        'tls-cluster yes',
        'tls-cert-file own.crt',
        'tls-key-file own.key',
        'tls-ca-cert-file ca.crt',
        'tls-auth-clients yes',
        'user default off',
        'user guild on >secret ~{topologies}:* &{topologies}:* +@all',
      ].map((line) => line.replace(/(own|ca)\.(crt|key)/, `${folder}/$&`)),
    );
    await joinSlots(plain);

    const used = await useRedis({
      REDIS_URL: `rediss+cluster://guild:secret@127.0.0.1:${port}`,
      REDIS_TLS_CA_FILE: join(folder, 'ca.crt'),
      REDIS_TLS_CERT_FILE: join(folder, 'own.crt'),
      REDIS_TLS_KEY_FILE: join(folder, 'own.key'),
    });

    expect(used).toEqual(EVERYTHING);
  });

  it('can be the server that sentinels name', async () => {
    const [server, sentinel] = [await freePort(), await freePort()];
    startServer(server, [`port ${server}`, 'requirepass secret']);
    startServer(
      sentinel,
      [
        `port ${sentinel}`,
        'requirepass watch',
        `sentinel monitor main 127.0.0.1 ${server} 1`,
        'sentinel auth-pass main secret',
      ],
      '--sentinel',
    );

    const used = await useRedis({
      REDIS_URL: `redis+sentinel://:secret@127.0.0.1:1,127.0.0.1:${sentinel}/main`,
      REDIS_SENTINEL_PASSWORD: 'watch',
    });

    expect(used).toEqual(EVERYTHING);
  });
});
