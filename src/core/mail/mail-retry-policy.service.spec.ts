import { describe, expect, it } from '@jest/globals';
import { SmtpCircuitBreaker } from './mail-retry-policy.service.js';

describe('a mail server that does not answer', () => {
  let now = 0;
  const watch = new SmtpCircuitBreaker(() => now);

  it('pauses for longer each time, once for concurrent failures', () => {
    const pauses: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      pauses.push(watch.recordFailure());
      expect(watch.recordFailure()).toBe(pauses.at(-1));
      expect(watch.isOpen).toBe(true);
      now += (pauses.at(-1) ?? 0) * 1_000;
      expect(watch).toMatchObject({ isOpen: false, isHalfOpen: true });
    }
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('is trusted again as soon as it has answered', () => {
    watch.recordSuccess();
    expect(watch).toMatchObject({ isOpen: false, isHalfOpen: false });
    expect(watch.recordFailure()).toBe(5);
  });
});
