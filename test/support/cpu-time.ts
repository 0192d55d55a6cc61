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
