import { describe, expect, it } from '@jest/globals';
import { setImmediate as settled } from 'node:timers/promises';
import { BatchLoader, KeyedSemaphore, Semaphore } from './concurrency.js';

const REFUSED = expect.objectContaining({ status: 503, headers: { 'Retry-After': '2' } });

/** A task that runs until it is ended. */
function pending(): { task: () => Promise<void>; end: () => void; isRunning: () => boolean } {
  let isRunning = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const task = (): Promise<void> => {
    isRunning = true;
    return ended;
  };
  return { task, end, isRunning: () => isRunning };
}

describe('Semaphore', () => {
  it('runs as many tasks as fit, queues the next in order and refuses the rest', async () => {
    const semaphore = new Semaphore({ capacity: 1, queue: 2 });
    const tasks = [pending(), pending(), pending()];
    const runs = tasks.map(({ task }) => semaphore.run(task));
    await expect(semaphore.run(() => Promise.resolve())).rejects.toEqual(REFUSED);
    expect(tasks.map(({ isRunning }) => isRunning())).toEqual([true, false, false]);
    tasks[0]?.end();
    await settled();
    expect(semaphore.tryAcquire()).toBe(false);
    expect(tasks.map(({ isRunning }) => isRunning())).toEqual([true, true, false]);
    tasks.forEach(({ end }) => end());
    await Promise.all(runs);
    expect(semaphore.isIdle).toBe(true);
  });

  it('weighs what is held, and grants any weight when idle', async () => {
    const semaphore = new Semaphore({ capacity: 10 });
    expect(semaphore.tryAcquire(100)).toBe(true);
    await expect(semaphore.acquire(1)).rejects.toEqual(REFUSED);
    semaphore.release(100);
    expect(semaphore.tryAcquire(4)).toBe(true);
    expect(semaphore.tryAcquire(2, 5)).toBe(false);
    expect(semaphore.tryAcquire(6)).toBe(true);
  });

  it('lets no light waiter overtake a heavy one', async () => {
    const semaphore = new Semaphore({ capacity: 3, queue: 2 });
    const granted: number[] = [];
    await semaphore.acquire(2);
    const waits = [3, 1].map((weight) =>
      semaphore.acquire(weight).then(() => granted.push(weight)),
    );
    expect(semaphore.tryAcquire(1)).toBe(false);
    semaphore.release(2);
    await waits[0];
    expect(granted).toEqual([3]);
    semaphore.release(3);
    await waits[1];
    expect(granted).toEqual([3, 1]);
  });

  it('releases what failed tasks held', async () => {
    const semaphore = new Semaphore({ capacity: 1 });
    const failing = semaphore.run(() => Promise.reject(new Error('the client went away')));
    await expect(failing).rejects.toThrow('the client went away');
    expect(semaphore.isIdle).toBe(true);
  });
});

describe('KeyedSemaphore', () => {
  it('limits each key on its own', async () => {
    const semaphore = new KeyedSemaphore({ capacity: 1, queue: 0 });
    const { task, end } = pending();
    const running = semaphore.run('one', task);
    await expect(semaphore.run('one', () => Promise.resolve())).rejects.toEqual(REFUSED);
    await expect(semaphore.run('other', () => Promise.resolve('done'))).resolves.toBe('done');
    end();
    await running;
    expect(semaphore.tryAcquire('one')).toBe(true);
    expect(semaphore.tryAcquire('one')).toBe(false);
    semaphore.release('one');
    expect(semaphore.tryAcquire('one')).toBe(true);
  });
});

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

describe('BatchLoader', () => {
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
