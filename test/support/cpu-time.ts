/**
 * Milliseconds of processor time that the cheapest of three runs took: neither other programs
 * nor the first run, before the engine has optimised anything, count.
 */
export function cpuTimeOf(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user / 1000;
  });
  return Math.min(...times);
}

let floor: number | undefined;

/**
 * Processor time of the work as a multiple of that of reading five mebibytes word by word in the
 * same process, which is some 100 ms.
 */
export function effortOf(work: () => unknown): number {
  const words = 'the quick brown fox '.repeat(262_144);
  floor ??= cpuTimeOf(() => words.replace(/\w+/g, (word) => word));
  return cpuTimeOf(work) / floor;
}

/** As `cpuTimeOf`, of work that waits for answers of this process; both sides of a request count. */
export async function cpuTimeOfAnswer(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const start = process.cpuUsage();
    await work();
    times.push(process.cpuUsage(start).user / 1000);
  }
  return Math.min(...times);
}
