import type { IsStopping } from './periodic-task.js';

/**
 * Repeats a step for as long as it handles whole batches of `size` rows and the process does not end;
 * returns the number of rows.
 */
export async function inBatches(
  size: number,
  isStopping: IsStopping,
  step: () => Promise<number>,
): Promise<number> {
  let [count, handled] = [0, size];
  while (handled === size && !isStopping()) {
    handled = await step();
    count += handled;
  }
  return count;
}
