import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../errors.js';
import { IngestQueue } from './ingest-queue.js';

const BATCHES = { running: 1, size: 10 };

/** A queue of numbers whose batches are recorded; `work` decides about each. */
function queueOf(work: (batch: number[]) => Promise<string[]>, capacity = 100) {
  const batches: number[][] = [];
  const write = (batch: number[]): Promise<string[]> => {
    batches.push(batch);
    return work(batch);
  };
  const waiting = [{ capacity, weightOf: (item: number) => item }];
  return { batches, queue: new IngestQueue(write, { batches: BATCHES, waiting }) };
}

const named = (batch: number[]): Promise<string[]> => Promise.resolve(batch.map(String));

function failing(code: string) {
  return (): Promise<never> => Promise.reject(Object.assign(new Error('refused'), { code }));
}

describe('IngestQueue', () => {
  it('writes concurrent items together and returns the outcome of each', async () => {
    const { queue, batches } = queueOf(named);
    expect(await Promise.all([queue.run(1), queue.run(2)])).toEqual(['1', '2']);
    expect(batches).toEqual([[1, 2]]);
  });

  it('refuses items above the limit until others are written', async () => {
    const { queue } = queueOf(named, 5);
    const first = queue.run(4);
    await expect(queue.run(2)).rejects.toEqual(new UnavailableError(2));
    await first;
    expect(await queue.run(2)).toBe('2');
  });

  it('writes the items of an undone batch one by one', async () => {
    const { queue, batches } = queueOf((batch) =>
      batch.includes(2) ? failing('23503')() : named(batch),
    );
    const results = await Promise.allSettled([queue.run(1), queue.run(2)]);
    expect(results[0]).toEqual({ status: 'fulfilled', value: '1' });
    expect(results[1]).toMatchObject({ status: 'rejected', reason: { code: '23503' } });
    expect(batches).toEqual([[1, 2], [1], [2]]);
  });

  it('never repeats a batch that may be stored', async () => {
    const { queue, batches } = queueOf(failing('ECONNRESET'));
    const results = await Promise.allSettled([queue.run(1), queue.run(2)]);
    const rejected = { status: 'rejected', reason: { code: 'ECONNRESET' } };
    expect(results).toMatchObject([rejected, rejected]);
    expect(batches).toHaveLength(1);
  });

  it('throws 503 for a cancelled statement', async () => {
    const { queue } = queueOf(failing('57014'));
    await expect(queue.run(1)).rejects.toEqual(new UnavailableError(2));
  });
});
