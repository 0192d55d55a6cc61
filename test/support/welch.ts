/** Samples above this rank are noise of the machine, the same for both kinds. */
const KEPT = 0.8;

/** From here on two samples are not of the same kind. */
export const SEPARATION = 4.5;

/**
 * Returns Welch's t of the half of a run in which two kinds of samples differ less: a real
 * difference shows in both halves, a busy moment of the machine in one.
 */
export function separation(first: readonly number[], second: readonly number[]): number {
  const early = welch(firstHalf(first), firstHalf(second));
  const late = welch(secondHalf(first), secondHalf(second));
  return Math.sign(early) === Math.sign(late) ? Math.min(Math.abs(early), Math.abs(late)) : 0;
}

const firstHalf = (samples: readonly number[]) => samples.slice(0, samples.length / 2);
const secondHalf = (samples: readonly number[]) => samples.slice(samples.length / 2);

/** Welch's t: how surely two samples have different means. */
function welch(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [momentsOf(first), momentsOf(second)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function momentsOf(samples: readonly number[]): { mean: number; variance: number; count: number } {
  const kept = [...samples].sort((a, b) => a - b).slice(0, Math.floor(samples.length * KEPT));
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  const squares = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (kept.length - 1), count: kept.length };
}
