import { Agent, get } from 'node:http';
import { setInterval } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltProcesses, logged, portOf, type StartedProcess } from '../support/built-process.js';
import { eventually } from '../support/eventually.js';

const TOKEN = 'metrics-metrics-metrics';

describe('web processes that share a port', () => {
  const processes = new BuiltProcesses();
  let web: StartedProcess;
  let port: number;
  beforeAll(async () => {
    web = await processes.start('main.js', {
      env: { WEB_PROCESSES: '2', METRICS_TOKEN: TOKEN, RATE_LIMITS: 'off' },
    });
    port = await portOf(web);
    await logged(web, /"process":2,.*"msg":"web process is ready"/);
  }, 60_000);
  afterAll(() => processes.remove());

  /** Returns the IDs of the processes that became ready, by their number in the group. */
  const readyPids = (): [process: number, pid: number][] =>
    [...web.said().matchAll(/"pid":(\d+),"process":(\d),.*"msg":"web process is ready"/g)].map(
      ([, pid, number]) => [Number(number), Number(pid)],
    );
  const request = (agent?: Agent): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const options = { port, path: '/api/v4/projects', agent: agent ?? false };
      const sent = get({ ...options, signal: AbortSignal.timeout(10_000) }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      });
      sent.once('error', reject);
    });

  it('count their metrics apart', async () => {
    for (let count = 0; count < 4; count += 1) expect(await request()).toBe(200);
    const scrape = async (): Promise<string[]> => {
      const response = await fetch(`http://127.0.0.1:${port}/-/metrics`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      return (await response.text()).split('\n');
    };
    // A process that is busy with its start does not respond in time.
    const lines = await eventually(async () => {
      const found = await scrape();
      expect(found.filter((line) => line.includes('process="2"'))).not.toEqual([]);
      expect(found.filter((line) => line.includes('process="1"'))).not.toEqual([]);
      return found;
    });
    const labels = 'method="GET",route="/api/v4/projects",code="200"';
    for (const number of [1, 2]) {
      expect(lines).toEqual(
        expect.arrayContaining([
          `guildhall_http_requests_total{${labels},process="${number}"} 2`,
          `guildhall_db_pool_max_connections{process="${number}"} 5`,
          expect.stringMatching(`^process_start_time_seconds{process="${number}"}`),
        ]),
      );
    }
    expect(lines.filter((line) => line.startsWith('guildhall_database_up'))).toEqual([
      'guildhall_database_up 1',
    ]);
    expect(new Set(lines.filter((line) => line.startsWith('# TYPE'))).size).toBe(
      lines.filter((line) => line.startsWith('# TYPE')).length,
    );
  });

  it('replace one that is killed, while the others go on', async () => {
    const [[, pid] = [1, 0]] = readyPids();
    process.kill(pid, 'SIGKILL');
    await logged(web, /"signal":"SIGKILL","restart_in_seconds":0,.*exited unexpectedly/);
    for await (const agent of setInterval(10, undefined)) {
      if (readyPids().length > 2) break;
      expect(await request(agent)).toBe(200);
    }
    expect(readyPids()[2]?.[0]).toBe(1);
  }, 60_000);

  it('answer every request during a restart, on new and on kept connections', async () => {
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
    const isOver = new AbortController();
    const statuses: (number | undefined)[] = [];
    const clients = [...agents, undefined].map(async (client) => {
      // At a pace that leaves the processor to the new processes.
      for await (const each of setInterval(10, client)) {
        if (isOver.signal.aborted) return;
        statuses.push(await request(each));
      }
    });
    web.child.kill('SIGHUP');
    const restarted = logged(web, /"msg":"restarted the web processes"/, 100);
    await Promise.race([restarted, ...clients]);
    isOver.abort();
    await Promise.all(clients);
    for (const agent of agents) agent.destroy();
    await restarted;
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses.length).toBeGreaterThan(20);
    expect(
      readyPids()
        .slice(3)
        .map(([number]) => number),
    ).toEqual([1, 2]);
    expect(new Set(readyPids().map(([, pid]) => pid)).size).toBe(5);
  }, 150_000);

  it('end when their supervisor is killed', async () => {
    web.child.kill('SIGKILL');
    const isAlive = (pid: number): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await eventually(() => readyPids().every(([, pid]) => !isAlive(pid)));
  });
});
