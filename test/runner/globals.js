import { ModernFakeTimers } from '@jest/fake-timers';
import { expect } from 'expect';
import { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';
import { fn, spyOn } from 'jest-mock';

/**
 * Stands in for `@jest/globals`, which only loads inside a jest environment: compiled spec files
 * import this module instead. It holds what our tests use; the types are those of `@jest/globals`.
 */
export { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test };

const timers = new ModernFakeTimers({
  global: globalThis,
  config: /** @type {import('@jest/types').Config.ProjectConfig} */ ({
    fakeTimers: { enableGlobally: false },
  }),
});

export const jest = {
  fn,
  spyOn,
  /** @param {import('@jest/types').Config.FakeTimersConfig} [config] */
  useFakeTimers: (config) => timers.useFakeTimers(config),
  useRealTimers: () => timers.useRealTimers(),
  /** @param {number} ms */
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  /** @param {number} ms */
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
};
