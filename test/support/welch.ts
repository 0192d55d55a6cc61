/** Samples above this rank are noise of the machine, the same for both kinds. */
const KEPT = 0.8;

/** From here on two samples are not of the same kind. */
export const SEPARATION = 4.5;

/** Welch's t: how surely two samples have different means. */
export function welch(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [momentsOf(first), momentsOf(second)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function momentsOf(samples: readonly number[]): { mean: number; variance: number; count: number } {
  const kept = [...samples].sort((a, b) => a - b).slice(0, Math.floor(samples.length * KEPT));
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  const squares = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (kept.length - 1), count: kept.length };
}
