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

/** The same of work that waits for answers of this process; both sides of a request count. */
export async function cpuTimeOfAnswer(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const start = process.cpuUsage();
    await work();
    times.push(process.cpuUsage(start).user / 1000);
  }
  return Math.min(...times);
}
