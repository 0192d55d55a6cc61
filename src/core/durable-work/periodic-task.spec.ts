import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PeriodicTask, type IsStopping } from './periodic-task.js';

const EVERY_MS = 1_000;

/** Tasks that end on command. */
function slowRounds() {
  const ends: (() => void)[] = [];
  const logger = { error: jest.fn(), warn: jest.fn() };
  const work = jest.fn((_isStopping: IsStopping) => new Promise<void>((end) => ends.push(end)));
  const rounds = new PeriodicTask(EVERY_MS, work, { logger });
  return { rounds, work, logger, end: (round: number) => ends[round]?.() };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('rounds', () => {
  it('begin at once and again with the clock, never two at a time', async () => {
    const { rounds, work, end } = slowRounds();
    rounds.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(work).toHaveBeenCalledTimes(1);
    end(0);
    await jest.advanceTimersByTimeAsync(0);
    expect(work).toHaveBeenCalledTimes(2);
    end(1);
    await rounds.stop();
  });

  it('go on after one that failed, which is logged', async () => {
    const { rounds, work, logger } = slowRounds();
    const fault = new Error('The database is away');
    work.mockRejectedValueOnce(fault).mockResolvedValueOnce();
    rounds.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(logger.error.mock.calls).toEqual([['The run failed: Error: The database is away']]);
    expect(work).toHaveBeenCalledTimes(2);
    await rounds.stop();
  });

  it('log what failed in words and with a level of their own', async () => {
    const logger = { error: jest.fn(), warn: jest.fn() };
    const work = () => Promise.reject(new Error('The database is away'));
    const failureMessage = 'Ended sessions stay';
    await new PeriodicTask(EVERY_MS, work, { logger, failureMessage, level: 'warn' }).run();
    expect(logger.warn.mock.calls).toEqual([['Ended sessions stay: Error: The database is away']]);
    expect(logger.error).not.toHaveBeenCalled();
  });

  it('are made for a job in between, which waits for the end of its own', async () => {
    const { rounds, work, end } = slowRounds();
    rounds.start();
    await jest.advanceTimersByTimeAsync(0);
    const asked = rounds.run();
    expect(work).toHaveBeenCalledTimes(1);
    end(0);
    await jest.advanceTimersByTimeAsync(0);
    expect(work).toHaveBeenCalledTimes(2);
    end(1);
    await asked;
    await rounds.stop();
  });

  it('end with the running one, which is logged', async () => {
    const { rounds, work, end } = slowRounds();
    rounds.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    const stopped = rounds.stop();
    expect(work.mock.calls[0]?.[0]()).toBe(true);
    end(0);
    await stopped;
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
