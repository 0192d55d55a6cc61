import { describe, expect, it } from '@jest/globals';
import { Semaphore } from '../../core/concurrency.js';
import { BodyMemory } from './body-memory.js';

const MIB = 1024 * 1024;
const OVERLOADED = expect.objectContaining({ status: 429 });

function bodies(capacity: number): BodyMemory[] {
  const bytes = new Semaphore({ capacity });
  return [1, 2].map(() => new BodyMemory(bytes, capacity));
}

describe('BodyMemory', () => {
  it('is acquired as bytes come, and released as a whole', () => {
    const [one, other] = bodies(10) as [BodyMemory, BodyMemory];
    one.acquire(6);
    other.acquire(4);
    expect(() => other.acquire(1)).toThrow(OVERLOADED);
    other.release();
    one.acquire(4);
    expect(() => other.acquire(1)).toThrow(OVERLOADED);
    one.release();
    other.acquire(10);
  });

  it('leaves half of it to small bodies', () => {
    const [large, small] = bodies(8 * MIB) as [BodyMemory, BodyMemory];
    for (let at = 0; at < 4; at += 1) large.acquire(MIB);
    expect(() => large.acquire(1)).toThrow(OVERLOADED);
    small.acquire(MIB);
  });
});
