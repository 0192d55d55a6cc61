import type { FaultProcess } from './fault-process.js';
import type { FaultStack } from './stack.js';

export const VICTIMS = ['worker', 'web', 'database', 'queue'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Crash {
  victim: Victim;
  /** Where in its work the worker is when the victim dies. */
  point: string;
}

/**
 * Lets a new worker come to the failpoint, kills the victim there and starts it again. A worker
 * dies by itself; for any other victim it is stopped, and goes on when the victim is back.
 * Answers the worker that lives now, without a failpoint to come.
 */
export async function crash(stack: FaultStack, { victim, point }: Crash): Promise<FaultProcess> {
  const action = victim === 'worker' ? 'kill' : 'pause';
  const worker = stack.startWorker({ point, action });
  await worker.reaches(victim === 'worker' ? 'ended' : 'stopped');
  if (victim === 'worker') return stack.startWorker();
  await killAndRestart(stack, victim);
  worker.resume();
  return worker;
}

async function killAndRestart(stack: FaultStack, victim: Exclude<Victim, 'worker'>): Promise<void> {
  if (victim === 'web') {
    await stack.killWeb();
    await stack.restartWeb();
    return;
  }
  await stack.servers.kill(victim);
  await stack.servers.restart(victim);
}
