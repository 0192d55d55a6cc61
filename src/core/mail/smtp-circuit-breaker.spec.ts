import { describe, expect, it } from '@jest/globals';
import { SmtpCircuitBreaker } from './smtp-circuit-breaker.js';

describe('a mail server that does not answer', () => {
  let now = 0;
  const watch = new SmtpCircuitBreaker(() => now);

  it('is left alone for longer each time, and not again for each mail that tells it', () => {
    const pauses: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      pauses.push(watch.wentAway());
      expect(watch.wentAway()).toBe(pauses.at(-1));
      expect(watch.isOpen).toBe(true);
      now += (pauses.at(-1) ?? 0) * 1_000;
      expect(watch).toMatchObject({ isOpen: false, isHalfOpen: true });
    }
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('is trusted again as soon as it has answered', () => {
    watch.answered();
    expect(watch).toMatchObject({ isOpen: false, isHalfOpen: false });
    expect(watch.wentAway()).toBe(5);
  });
});
