import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { allArrived } from './support/crash-suite.js';
import { Fleet } from './support/fleet.js';
import { untilFinished } from './support/oracle.js';
import { redisCommand } from './support/redis-command.js';
import { FaultStack } from './support/stack.js';

const PROJECTS = 20;
const WIPES = 20;
const OUTAGES = 3;
const OUTAGE_MS = 3_000;

let stack: FaultStack;
let fleet: Fleet;
beforeAll(async () => {
  stack = await FaultStack.start();
  fleet = await Fleet.make(stack, PROJECTS);
  stack.startWorker();
});
afterAll(() => stack.stop());

/** Another moment of a bulk move with every round. */
function somewhere(round: number): Promise<void> {
  return delay(((round * 0.618_034) % 1) * 500);
}

describe('a bulk move', () => {
  it(`finishes although all jobs are lost, ${WIPES} times`, async () => {
    for (let round = 0; round < WIPES; round += 1) {
      await fleet.schedule({ bulk: true });
      await somewhere(round);
      await redisCommand(stack.servers.redisUrl, 'FLUSHALL');
      await stack.servers.kill('queue');
      await stack.servers.restart('queue');
      const endings = await untilFinished(stack);
      await allArrived(fleet, endings);
    }
    console.log(`${WIPES} lost queues during ${WIPES} bulk moves: 0 moves unfinished`);
  });

  it('begins and finishes while there is no queue at all', async () => {
    await stack.servers.kill('queue');
    await fleet.schedule({ bulk: true });
    await allArrived(fleet, await untilFinished(stack));
    await stack.servers.restart('queue');
  });

  it(`finishes although the database is away for ${OUTAGE_MS} ms, ${OUTAGES} times`, async () => {
    for (let round = 0; round < OUTAGES; round += 1) {
      await fleet.schedule({ bulk: true });
      await somewhere(round);
      await stack.servers.kill('database');
      await delay(OUTAGE_MS);
      await stack.servers.restart('database');
      await allArrived(fleet, await untilFinished(stack));
    }
  });
});
