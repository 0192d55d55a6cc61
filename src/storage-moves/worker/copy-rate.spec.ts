import { expect, it } from '@jest/globals';
import { CopyRate } from './active-move.js';

it('measures the copy rate of the last ten seconds', () => {
  let now = 0;
  const rate = new CopyRate(() => now);
  rate.begin(500);
  for (now = 1_000; now <= 20_000; now += 1_000) {
    expect(rate.measure(500 + now)).toBe(1_000);
  }
  const atFullSpeed = 500 + 20_000;
  for (; now <= 31_000; now += 1_000) rate.measure(atFullSpeed + (now - 20_000) / 10);
  expect(rate.measure(atFullSpeed + (now - 20_000) / 10)).toBe(100);
});
