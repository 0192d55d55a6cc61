import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PeriodicTask, type IsStopping } from './periodic-task.js';

const EVERY_MS = 1_000;

/** A task whose runs end on command. */
function slowTask() {
  const ends: (() => void)[] = [];
  const logger = { error: jest.fn(), warn: jest.fn() };
  const work = jest.fn((_isStopping: IsStopping) => new Promise<void>((end) => ends.push(end)));
  const task = new PeriodicTask(EVERY_MS, work, { logger });
  return { task, work, logger, end: (run: number) => ends[run]?.() };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('PeriodicTask', () => {
  it('runs immediately and at intervals, never concurrently', async () => {
    const { task, work, end } = slowTask();
    task.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(work).toHaveBeenCalledTimes(1);
    end(0);
    await jest.advanceTimersByTimeAsync(0);
    expect(work).toHaveBeenCalledTimes(2);
    end(1);
    await task.stop();
  });

  it('logs a failed run and continues', async () => {
    const { task, work, logger } = slowTask();
    const fault = new Error('The database is away');
    work.mockRejectedValueOnce(fault).mockResolvedValueOnce();
    task.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(logger.error.mock.calls).toEqual([['The run failed: Error: The database is away']]);
    expect(work).toHaveBeenCalledTimes(2);
    await task.stop();
  });

  it('logs failures with its own message and level', async () => {
    const logger = { error: jest.fn(), warn: jest.fn() };
    const work = () => Promise.reject(new Error('The database is away'));
    const failureMessage = 'Ended sessions stay';
    await new PeriodicTask(EVERY_MS, work, { logger, failureMessage, level: 'warn' }).run();
    expect(logger.warn.mock.calls).toEqual([['Ended sessions stay: Error: The database is away']]);
    expect(logger.error).not.toHaveBeenCalled();
  });

  it('adds a run for a job, which waits for its end', async () => {
    const { task, work, end } = slowTask();
    task.start();
    await jest.advanceTimersByTimeAsync(0);
    const asked = task.run();
    expect(work).toHaveBeenCalledTimes(1);
    end(0);
    await jest.advanceTimersByTimeAsync(0);
    expect(work).toHaveBeenCalledTimes(2);
    end(1);
    await asked;
    await task.stop();
  });

  it('stops after the current run', async () => {
    const { task, work, end } = slowTask();
    task.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    const stopped = task.stop();
    expect(work.mock.calls[0]?.[0]()).toBe(true);
    end(0);
    await stopped;
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
