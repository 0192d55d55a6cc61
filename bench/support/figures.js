/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Measures A and B in turn, so that a drifting machine hits both, and returns both medians.
 * @param {{ rounds: number, ours: () => Promise<number>, peer: () => Promise<number> }} options
 */
export async function interleave({ rounds, ours, peer }) {
  /** @type {number[]} */
  const mine = [];
  /** @type {number[]} */
  const theirs = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await peer());
    mine.push(await ours());
    console.log(
      `  round ${round + 1}: ours ${mine.at(-1)?.toFixed(3)}, beside ${theirs.at(-1)?.toFixed(3)}`,
    );
  }
  return { ours: median(mine), peer: median(theirs) };
}

/**
 * Seconds that `work` takes.
 * @param {() => Promise<unknown>} work
 */
export async function seconds(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}
