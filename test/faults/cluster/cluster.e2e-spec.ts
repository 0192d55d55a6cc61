import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { api } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { makeActor, makeAdmin, unique } from '../../support/factories.js';
import { Client } from './load.js';
import { Machines } from './machines.js';

const IS_SMALL = process.env['GUILDHALL_FAULTS'] === 'smoke';
const CUT_MS = IS_SMALL ? 4_000 : 10_000;
const DOWN_MS = 3_000;
const CLIENTS = 4;
/** Time after a fault within which the last failure must have been. */
const RECOVERY_MS = 10_000;
const QUIET_MS = 4_000;
/** Machines that no request waits for: workers and the replica. */
const UNNOTICED = /^(?:worker\d|db2)$/;

interface Row {
  fault: string;
  requests: number;
  failed: number;
  kinds: string;
  /** Seconds from the end of the fault to the last failure; null if none was later. */
  recovered: number | null;
}

let machines: Machines;
let database: DataSource;
const clients: Client[] = [];
const rows: Row[] = [];

beforeAll(async () => {
  machines = await Machines.start();
  database = await machines.connect();
  for (let count = 0; count < CLIENTS; count += 1) {
    const actor = await makeActor({ dataSource: database, url: machines.url });
    const project = { name: unique('project'), initialize_with_readme: true };
    const { body } = await actor.api.post('/projects', project).expect(201);
    const client = new Client(machines.url, actor, (body as { id: number }).id);
    clients.push(client);
    client.start();
  }
}, 300_000);

afterAll(async () => {
  await Promise.all(clients.map((client) => client.stop()));
  console.log(tableOf(rows));
  if (database.isInitialized) await database.destroy();
  await machines.stop();
}, 60_000);

const failuresSince = (start: number) =>
  clients.flatMap(({ failures }) => failures).filter(({ at }) => at >= start);
const requestsSoFar = (): number => clients.reduce((sum, { requests }) => sum + requests, 0);

/** Runs a fault and waits until the clients have had no failure for some seconds. */
async function under(fault: string, run: () => Promise<void>): Promise<Row> {
  const [start, requests] = [Date.now(), requestsSoFar()];
  await run();
  const end = Date.now();
  await eventually(
    () => {
      const last = Math.max(end, ...failuresSince(start).map(({ at }) => at));
      // Requests that hang have not failed yet.
      const isServed = clients.every(({ lastSuccess }) => lastSuccess > last);
      return isServed && Date.now() - last > QUIET_MS;
    },
    { seconds: 90, everyMs: 100 },
  );
  const failures = failuresSince(start);
  const last = Math.max(0, ...failures.map(({ at }) => at)) - end;
  const row = {
    fault,
    requests: requestsSoFar() - requests,
    failed: failures.length,
    kinds: [...new Set(failures.map(({ kind }) => kind))].toSorted().join(', '),
    recovered: last > 0 ? last / 1000 : null,
  };
  rows.push(row);
  expect(Math.max(last, 0)).toBeLessThan(RECOVERY_MS);
  return row;
}

function tableOf(all: readonly Row[]): string {
  const lines = all.map(({ fault, requests, failed, kinds, recovered }) => {
    const after = recovered === null ? '0 s' : `${recovered.toFixed(1)} s`;
    return `| ${fault} | ${requests} | ${failed} | ${after} | ${kinds} |`;
  });
  const head = ['| Fault | Requests | Failed | Last failure after its end | Kinds |'];
  return [...head, '| --- | --- | --- | --- | --- |', ...lines].join('\n');
}

describe('a cluster under load', () => {
  const killed = [
    ...['web1', 'web2', 'web3', 'worker1', 'worker2'],
    ...['redis1', 'db2', 'db1', 'proxy'],
  ];
  it.each(killed)(
    'recovers when %s is killed',
    async (name) => {
      const { failed } = await under(`kill ${name}`, async () => {
        await machines.kill(name);
        await delay(DOWN_MS);
        await machines.restart(name);
      });
      if (UNNOTICED.test(name)) expect(failed).toBe(0);
    },
    240_000,
  );

  const cut = [
    ...['web1', 'web2', 'web3', 'worker1', 'worker2'],
    ...['redis1', 'redis2', 'redis3', 'db2', 'db1', 'proxy'],
  ];
  it.each(cut)(`recovers when the link of %s is cut for ${CUT_MS / 1000} s`, async (name) => {
    const { failed } = await under(`cut ${name}`, async () => {
      machines.network.cut(name);
      await delay(CUT_MS);
      machines.network.heal(name);
    });
    if (UNNOTICED.test(name)) expect(failed).toBe(0);
  });

  it('fails PostgreSQL over to its replica', async () => {
    const { primary, replica } = machines;
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await primary.query('SELECT pg_reload_conf()');
    await eventually(async () => {
      const standbys = await primary.query<{ sync_state: string }>(
        'SELECT sync_state FROM pg_stat_replication',
      );
      return standbys[0]?.sync_state === 'sync';
    });
    await under('fail PostgreSQL over', () => machines.failOver());
    expect(await replica.query('SELECT pg_is_in_recovery() AS "isReplica"')).toEqual([
      { isReplica: false },
    ]);
    await database.destroy();
    database = await machines.connect();
  });

  it('has run the jobs of its workers', async () => {
    const admin = await makeAdmin({ dataSource: database, url: machines.url });
    const [client] = clients;
    const path = `/projects/${client?.projectId}/repository_storage_moves`;
    await admin.api.post(path, { destination_storage_name: 'storage2' }).expect(201);
    await eventually(
      async () => {
        const { body } = await api(machines.url, admin.token).get(path);
        return (body as { state: string }[])[0]?.state === 'finished';
      },
      { seconds: 60 },
    );
  });

  it('has lost nothing that was acknowledged, and showed everyone what they had written', async () => {
    await Promise.all(clients.map((client) => client.stop()));
    for (const client of clients) {
      expect(await client.lostIssues(database)).toEqual([]);
      expect(await client.lostCommits()).toEqual([]);
      expect(client.unseen).toEqual([]);
      expect(client.issues.length).toBeGreaterThan(0);
    }
    const acknowledged = clients.map(({ issues, commits }) => issues.length + commits.length);
    console.log(`acknowledged: ${acknowledged.reduce((sum, each) => sum + each, 0)}, lost: 0`);
  });
});
