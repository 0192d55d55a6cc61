/**
 * Milliseconds of processor time that the cheapest of three runs took: neither other programs
 * nor the first run, before the engine has optimised anything, count.
 */
export function cpuTimeOf(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    return cpuTimeSince(start);
  });
  return Math.min(...times);
}

/**
 * Milliseconds of user and system time. Only their sum is exact: the kernel divides it by what it
 * finds running at its clock ticks, so that the user time of a short piece of work may be zero.
 */
function cpuTimeSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const WORDS = 'the quick brown fox '.repeat(262_144);

/** The unit of effort: reading five mebibytes word by word, which takes some 100 ms. */
function readWords(length = WORDS.length): void {
  WORDS.slice(0, length).replace(/\w+/g, (word) => word);
}

let floor: number | undefined;

/** Processor time of the work in units of effort. */
export function effortOf(work: () => unknown): number {
  floor ??= cpuTimeOf(() => readWords());
  return cpuTimeOf(work) / floor;
}

/** As `effortOf`, of work that waits for answers of this process; both sides of a request count. */
export async function effortOfAnswer(work: () => Promise<void>): Promise<number> {
  floor ??= cpuTimeOf(() => readWords());
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const start = process.cpuUsage();
    await work();
    times.push(cpuTimeSince(start));
  }
  return Math.min(...times) / floor;
}

/**
 * Duration of the work, waiting included, in units of effort as long as those take right before
 * and after it: a busy machine holds up both.
 */
export async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const before = unitNow();
  const start = performance.now();
  await work();
  const duration = performance.now() - start;
  return duration / Math.max(before, unitNow());
}

/** Milliseconds that a unit of effort takes now, from a tenth of it. */
function unitNow(): number {
  const start = performance.now();
  readWords(WORDS.length / 10);
  return 10 * (performance.now() - start);
}
