import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { freePort } from '../../deploy/local/ports.js';
import { Balancer } from './support/balancer.js';
import { FaultProcess } from './support/fault-process.js';
import { Fleet } from './support/fleet.js';
import { FaultStack } from './support/stack.js';
import { SteadyLoad } from './support/steady-load.js';

const TIME_MS = 900_000;
/** A process loads for long where others need the processor. */
const PATIENCE = { seconds: 240, everyMs: 100 };
const RESTARTS = 3;
/** preStop of the manifests; balancers notice within it that a pod is going. */
const PRE_STOP_MS = 5_000;
const NOTICE_MS = 1_000;

let stack: FaultStack;
let fleet: Fleet;
beforeAll(async () => {
  stack = await FaultStack.start({ env: { WEB_PROCESSES: '2' } });
  await eventually(async () => (await logged('web process is ready')) === 2, PATIENCE);
  fleet = await Fleet.make(stack);
}, TIME_MS);
afterAll(() => stack.stop());

/** Times that the web processes of the stack have logged the message. */
async function logged(message: string): Promise<number> {
  const log = await readFile(join(stack.folder, 'web.log'), 'utf8');
  return log.split(`"msg":"${message}"`).length - 1;
}

function report(load: SteadyLoad, what: string): void {
  const { requests, clones, pushes, failures } = load;
  console.log(
    `${what}: ${requests} requests, ${clones} clones, ${pushes} pushes, ${failures.length} failed`,
  );
}

describe('under load, no request fails', () => {
  it(
    `during restarts by SIGHUP, the last requested while one is running`,
    async () => {
      const load = await SteadyLoad.start(fleet, stack.url);
      const restarted = 'restarted the web processes';
      for (let count = 1; count <= RESTARTS; count += 1) {
        stack.webProcess.reload();
        if (count === RESTARTS) {
          const begun = 'restarting the web processes';
          await eventually(async () => (await logged(begun)) === RESTARTS, PATIENCE);
          stack.webProcess.reload();
        }
        const expected = count === RESTARTS ? RESTARTS + 1 : count;
        await eventually(async () => (await logged(restarted)) === expected, PATIENCE);
      }
      await load.stop();
      report(load, `${RESTARTS + 1} restarts by SIGHUP`);
      expect(load.failures).toEqual([]);
      expect(load.pushes).toBeGreaterThan(0);
      const twice = 'another restart of the web processes follows this one';
      expect(await logged(twice)).toBe(1);
    },
    TIME_MS,
  );

  it(
    'while processes are replaced by new ones behind a balancer, as pods are',
    async () => {
      const balancer = await Balancer.start();
      let current = await startPod(balancer);
      const load = await SteadyLoad.start(fleet, balancer.url);
      for (let count = 0; count < RESTARTS; count += 1) {
        const next = await startPod(balancer);
        const [code] = await Promise.all([
          delay(PRE_STOP_MS).then(() => current.pod.terminate()),
          delay(NOTICE_MS).then(() => balancer.remove(current.port)),
        ]);
        expect(code).toBe(0);
        current = next;
      }
      await load.stop();
      report(load, `${RESTARTS} replaced processes`);
      expect(load.failures).toEqual([]);
      expect(load.pushes).toBeGreaterThan(0);
      expect(await current.pod.terminate()).toBe(0);
      await balancer.stop();
    },
    TIME_MS,
  );
});

/** Starts a process that takes requests when it is ready. */
async function startPod(balancer: Balancer): Promise<{ pod: FaultProcess; port: number }> {
  const port = await freePort();
  const env = { ...stack.environment, PORT: String(port), WEB_PROCESSES: '1' };
  const pod = FaultProcess.start('main.js', { env, logFile: join(stack.folder, 'pods.log') });
  const url = `http://127.0.0.1:${port}/-/readiness`;
  await eventually(async () => (await fetch(url)).ok, PATIENCE);
  balancer.add(port);
  return { pod, port };
}
