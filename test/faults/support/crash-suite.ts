import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { crash, type Crash } from './crash-run.js';
import { Fleet } from './fleet.js';
import { assertInOrder, assertTrashKnown, type Ending, untilFinished } from './oracle.js';
import { FaultStack } from './stack.js';

export interface CrashPlan {
  /** Brings the fleet to where a worker passes the points, before that worker starts. */
  prepare(fleet: Fleet, crash: Crash): Promise<void>;
  /** Final assertions; by default every move must have arrived. */
  verify?(fleet: Fleet, endings: Ending[]): Promise<void>;
}

/** GUILDHALL_FAULTS=smoke: only every so manieth case. */
const SMOKE_STEP = 12;

/** Defines one test for each case, all of them on one stack as long as they pass. */
export function crashTests(cases: readonly Crash[], plan: CrashPlan): void {
  const isSmoke = process.env['GUILDHALL_FAULTS'] === 'smoke';
  const chosen = cases.filter((_, index) => !isSmoke || index % SMOKE_STEP === 0);
  let fleet: Fleet | null = null;
  let survived = 0;

  beforeEach(async () => {
    fleet ??= await Fleet.make(await FaultStack.start());
  });
  afterAll(async () => {
    await fleet?.stack.stop();
    console.log(`Crashes survived: ${survived} of ${chosen.length}`);
  });

  it.each(chosen)('of the $victim at $point', async (planned) => {
    if (fleet === null) throw new Error('there is no fleet');
    const used = fleet;
    // A run that fails must not be the reason why the next one does: it gets a new stack.
    fleet = null;
    try {
      await survive(used, planned, plan);
      survived += 1;
      fleet = used;
    } finally {
      if (fleet === null) await used.stack.stop();
    }
  });
}

async function survive(fleet: Fleet, planned: Crash, plan: CrashPlan): Promise<void> {
  const { stack } = fleet;
  await plan.prepare(fleet, planned);
  const worker = await crash(stack, planned);
  const endings = await untilFinished(stack).catch(async (error: unknown) => {
    const log = await stack.endOfWorkerLog();
    throw new Error(`The worker is ${await worker.state()}. ${String(error)}\n${log}`);
  });
  // A move is finished before the last words about it are written.
  await worker.kill();
  await (plan.verify ?? allArrived)(fleet, endings);
}

/** Every move is finished and everything at its destination, which is the home from now on. */
export async function allArrived(fleet: Fleet, endings: Ending[]): Promise<void> {
  expect(endings.filter(({ state }) => state !== 'finished')).toEqual([]);
  fleet.home = fleet.away;
  await assertInOrder(fleet);
  await assertTrashKnown(fleet.stack);
}
