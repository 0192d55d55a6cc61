import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_MOVE_KINDS } from '../../src/storage-moves/move-kinds.js';
import { allArrived } from './support/crash-suite.js';
import type { FaultProcess } from './support/fault-process.js';
import { Fleet } from './support/fleet.js';
import { assertInOrder, untilFinished } from './support/oracle.js';
import { FaultStack } from './support/stack.js';

/** Where the workers are suspended: before the copy's end, its name, the switch, and the trash. */
const POINTS = ['copy.after-pack', 'publish.before-rename', 'switch.before', 'trash.before-rename'];

let stack: FaultStack;
let fleet: Fleet;
beforeAll(async () => {
  stack = await FaultStack.start();
  fleet = await Fleet.make(stack);
});
afterAll(() => stack.stop());

/** Each takes one move and is suspended in it. */
async function suspendWorkers(): Promise<FaultProcess[]> {
  const workers: FaultProcess[] = [];
  for (const point of POINTS) {
    const one = { WORKER_CONCURRENCY: '1' };
    const worker = stack.startWorker({ point, action: 'pause' }, one);
    await worker.reaches('stopped');
    workers.push(worker);
  }
  return workers;
}

function moveRows(): Promise<unknown[]> {
  const rows = ALL_MOVE_KINDS.map(
    ({ kind, table }) => `SELECT '${kind}', m.id, m.state, m.attempt, m.updated_at FROM ${table} m`,
  );
  return stack.rows(`${rows.join(' UNION ALL ')} ORDER BY 1, 2`);
}

describe('workers that are suspended for longer than their lease', () => {
  it('change nothing when they go on after others have finished their moves', async () => {
    await fleet.schedule();
    const suspended = await suspendWorkers();
    const successor = stack.startWorker();
    await allArrived(fleet, await untilFinished(stack, 100));
    await successor.kill();
    const before = await moveRows();

    for (const worker of suspended) worker.resume();
    // To take up these moves they must first be through with the old ones.
    await fleet.schedule();
    await untilFinished(stack);
    const after = await moveRows();
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after).toHaveLength(before.length + fleet.members.length);
    fleet.home = fleet.away;
    for (const worker of suspended) await worker.kill();
    await assertInOrder(fleet);
  });
});
