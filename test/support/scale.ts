/** True for all cases (`npm run test:fuzz`), false for a sample (`npm test`). */
export const IS_FULL = process.env['GUILDHALL_FUZZ'] === 'full';

/** Returns the number of cases. */
export function cases({ sample, full }: { sample: number; full: number }): number {
  return IS_FULL ? full : sample;
}

/** Time for a test that tries them all, in milliseconds. */
export const FUZZ_TIMEOUT_MS = IS_FULL ? 1_800_000 : 60_000;
