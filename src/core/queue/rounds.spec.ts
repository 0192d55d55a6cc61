import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Rounds, type IsStopping } from './rounds.js';

const EVERY_MS = 1_000;

/** Rounds that end when they are told to. */
function slowRounds() {
  const ends: (() => void)[] = [];
  const errors: unknown[] = [];
  const work = jest.fn((_isStopping: IsStopping) => new Promise<void>((end) => ends.push(end)));
  const rounds = new Rounds(EVERY_MS, work, (error) => errors.push(error));
  return { rounds, work, errors, end: (round: number) => ends[round]?.() };
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

  it('go on after one that failed', async () => {
    const { rounds, work, errors } = slowRounds();
    const fault = new Error('The database is away');
    work.mockRejectedValueOnce(fault).mockResolvedValueOnce();
    rounds.start();
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(errors).toEqual([fault]);
    expect(work).toHaveBeenCalledTimes(2);
    await rounds.stop();
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

  it('end with the one that goes on, which is told', async () => {
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
