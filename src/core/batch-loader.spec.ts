import { describe, expect, it } from '@jest/globals';
import { BatchLoader } from './batch-loader.js';

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Work that completes on command, and records its input. */
function heldWork() {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const work = async (items: number[]): Promise<number[]> => {
    batches.push(items);
    await new Promise<void>((resolve) => releases.push(resolve));
    return items.map((item) => item * 10);
  };
  const release = async (): Promise<void> => {
    while (releases.length === 0) await nextTurn();
    releases.shift()?.();
  };
  return { batches, work, release };
}

describe('Batches', () => {
  it('does together what is asked in one turn, and answers each its own', async () => {
    const batches: number[][] = [];
    const doubled = new BatchLoader((items: number[]) => {
      batches.push(items);
      return Promise.resolve(items.map((item) => item * 2));
    });
    expect(await Promise.all([1, 2, 3].map((item) => doubled.run(item)))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('gathers what comes while enough batches are under way', async () => {
    const { batches, work, release } = heldWork();
    const tens = new BatchLoader(work, { running: 1, size: 64 });
    const first = tens.run(1);
    await nextTurn();
    const rest = [tens.run(2), tens.run(3)];
    await nextTurn();
    expect(batches).toEqual([[1]]);
    await release();
    expect(await first).toBe(10);
    await release();
    expect(await Promise.all(rest)).toEqual([20, 30]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('never puts more into a batch than it may have', async () => {
    const sizes: number[] = [];
    const counted = new BatchLoader(
      (items: number[]) => {
        sizes.push(items.length);
        return Promise.resolve(items);
      },
      { running: 1, size: 2 },
    );
    await Promise.all([1, 2, 3, 4, 5].map((item) => counted.run(item)));
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('lets one that fails spoil no other', async () => {
    const careful = new BatchLoader((items: number[]) =>
      items.includes(2) ? Promise.reject(new Error('not two')) : Promise.resolve(items),
    );
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => careful.run(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('puts no more into a batch than it may weigh; what weighs more goes alone', async () => {
    const batches: number[][] = [];
    const work = (items: number[]): Promise<number[]> => {
      batches.push(items);
      return Promise.resolve(items);
    };
    const weight = { max: 10, of: (item: number) => item };
    const weighed = new BatchLoader(work, { running: 1, size: 3, weight });
    await Promise.all([5, 5, 1, 20, 2, 2, 2, 2].map((item) => weighed.run(item)));
    expect(batches).toEqual([[5, 5], [1], [20], [2, 2, 2], [2]]);
  });
});
