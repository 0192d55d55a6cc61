/** Whether everything is tried (`npm run test:fuzz`) or a sample (`npm test`). */
export const IS_FULL = process.env['GUILDHALL_FUZZ'] === 'full';

/** How many cases to try. */
export function cases({ sample, full }: { sample: number; full: number }): number {
  return IS_FULL ? full : sample;
}

/** Time for a test that tries them all, in milliseconds. */
export const FUZZ_TIMEOUT_MS = IS_FULL ? 1_800_000 : 60_000;
