import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FaultStack } from '../faults/support/stack.js';
import { SETUP_ENV, tourFeatures } from './feature-tour.js';
import { buildOlder, type OlderBuild } from './older-build.js';

const TIME_MS = 600_000;
const THIS_CHECKOUT = '.';

let older: OlderBuild;
let stack: FaultStack;
beforeAll(async () => {
  older = await buildOlder();
  stack = await FaultStack.start({ checkout: older.checkout, env: SETUP_ENV });
}, TIME_MS);
afterAll(async () => {
  await stack?.stop();
  await older?.remove();
});

/** Lines of the logs of all processes that report something wrong. */
async function complaints(): Promise<string[]> {
  const names = ['web.log', 'worker.log', 'peer.log'];
  const logs = await Promise.all(names.map((name) => readFile(join(stack.folder, name), 'utf8')));
  return logs.flatMap((log) => log.split('\n')).filter((line) => !isHarmless(line));
}

function isHarmless(line: string): boolean {
  return line === '' || /"level":"(debug|info)"/.test(line);
}

describe('processes of an older build', () => {
  it(
    'work while the schema is migrated, beside processes of this build, and after a restart',
    async () => {
      const oldWorker = stack.startWorker();
      await tourFeatures(stack, stack.url);
      await Promise.all([
        stack.command(['migrate'], THIS_CHECKOUT),
        tourFeatures(stack, stack.url),
      ]);
      await tourFeatures(stack, stack.url);

      await tourFeatures(stack, await stack.startPeer(THIS_CHECKOUT));
      expect(await oldWorker.terminate()).toBe(0);
      const worker = stack.startWorker(undefined, {}, THIS_CHECKOUT);
      await tourFeatures(stack, stack.url);

      expect(await worker.terminate()).toBe(0);
      expect(await stack.webProcess.terminate()).toBe(0);
      await stack.restartWeb();
      stack.startWorker();
      await tourFeatures(stack, stack.url);
      expect(await complaints()).toEqual([]);
    },
    TIME_MS,
  );
});
