import { describe, expect, it } from '@jest/globals';
import { chartScale } from './bar-chart.js';

describe('the scale of a chart', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [21, [0, 10, 20, 30]],
    [100_000, [0, 50_000, 100_000]],
  ])('for at most %d is %j', (highest, lines) => {
    expect(chartScale(highest)).toEqual({ top: lines.at(-1), lines });
  });
});
