import { describe, expect, it } from '@jest/globals';
import { setImmediate as settled } from 'node:timers/promises';
import { KeyedSemaphore, Semaphore } from './semaphore.js';

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
