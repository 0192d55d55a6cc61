/** Where a chart ends at the top, and its lines. */
export interface ChartScale {
  top: number;
  /** Values from 0 to `top`, whole numbers. */
  lines: number[];
}

const MOST_LINES = 4;
const STEPS = [1, 2, 5];

/** The scale of a chart of counts: the smallest round step with at most four of them. */
export function chartScale(highest: number): ChartScale {
  const step = roundStep(Math.max(1, highest) / MOST_LINES);
  const count = Math.max(1, Math.ceil(highest / step));
  return { top: count * step, lines: Array.from({ length: count + 1 }, (_, at) => at * step) };
}

/** The smallest of 1, 2, 5, 10, 20, … that is not below. */
function roundStep(least: number): number {
  for (let power = 1; ; power *= 10) {
    const step = STEPS.find((factor) => factor * power >= least);
    if (step !== undefined) return step * power;
  }
}
