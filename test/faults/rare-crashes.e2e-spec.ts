import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { type Crash, VICTIMS } from './support/crash-run.js';
import { allArrived, crashTests } from './support/crash-suite.js';
import type { Fleet, FleetMember } from './support/fleet.js';
import { assertInOrder, untilFinished } from './support/oracle.js';
import type { FaultStack } from './support/stack.js';

function casesOf(...points: string[]): Crash[] {
  return points.flatMap((point) => VICTIMS.map((victim) => ({ victim, point })));
}

describe('taking a copy back survives kill -9', () => {
  crashTests(casesOf('withdraw.before-rename', 'withdraw.after-rename'), {
    // The second worker removes what the first one published before it starts over.
    async prepare(fleet) {
      await fleet.schedule();
      const action = 'kill';
      const first = fleet.stack.startWorker({ point: 'repository.after-publish', action });
      await first.reaches('ended');
    },
  });
});

describe('failing survives kill -9', () => {
  let damaged: FleetMember;
  const points = ['failure.before-removal', 'failure.after-removal', 'failure.after-write'];
  crashTests(casesOf(...points), {
    async prepare(fleet) {
      damaged = await fleet.addDamaged();
      await fleet.schedule();
    },
    async verify(fleet, endings) {
      const { kind, id } = damaged;
      const own = endings.filter((ending) => ending.kind === kind && ending.id === id);
      const error = expect.stringContaining('Source repository is damaged: ');
      expect(own).toEqual([{ kind, id, state: 'failed', error }]);
      await allArrived(
        fleet,
        endings.filter((ending) => !own.includes(ending)),
      );
      await fleet.remove(damaged);
    },
  });
});

describe('emptying the trash survives kill -9', () => {
  const points = ['janitor.after-lease', 'trash.before-delete', 'trash.after-delete'];
  crashTests(casesOf(...points, 'janitor.after-delete'), {
    async prepare(fleet) {
      await fleet.schedule();
      const worker = fleet.stack.startWorker();
      await allArrived(fleet, await untilFinished(fleet.stack));
      await worker.kill();
      await makeTrashDue(fleet.stack);
    },
    async verify(fleet) {
      // An entry that was being deleted is due again after minutes, for any process.
      await makeTrashDue(fleet.stack);
      const worker = fleet.stack.startWorker();
      await eventually(() => assertNoTrash(fleet));
      await worker.kill();
      await assertInOrder(fleet);
    },
  });
});

async function makeTrashDue(stack: FaultStack): Promise<void> {
  await stack.rows('UPDATE repository_trash SET delete_after = now()');
}

async function assertNoTrash({ stack }: Fleet): Promise<void> {
  expect(await stack.rows('SELECT path FROM repository_trash')).toEqual([]);
  for (const storage of ['default', 'storage2']) {
    expect(await readdir(join(stack.root(storage), '+svc', 'trash'))).toEqual([]);
  }
}
