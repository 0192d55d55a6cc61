import { describe, expect, it } from '@jest/globals';
import { ReplicaLag } from './replica-lag.js';

describe('ReplicaLag', () => {
  it('is infinite before the replica has reached a known position', () => {
    const lag = new ReplicaLag();
    expect(lag.at(1_000)).toBe(Number.POSITIVE_INFINITY);
    lag.note({ position: 50, at: 1_000 }, 49);
    expect(lag.at(1_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is the time since the latest position that the replica has reached', () => {
    const lag = new ReplicaLag();
    lag.note({ position: 50, at: 1_000 }, 50);
    lag.note({ position: 60, at: 2_000 }, 55);
    lag.note({ position: 70, at: 3_000 }, 60);
    expect(lag.at(3_100)).toBe(1_100);
    lag.note({ position: 70, at: 4_000 }, 70);
    expect(lag.at(4_100)).toBe(100);
  });

  it('grows while a replica that is cut off shows the same', () => {
    const lag = new ReplicaLag();
    for (let at = 0; at <= 5_000; at += 250) lag.note({ position: 50 + at, at }, 50);
    expect(lag.at(5_000)).toBe(5_000);
  });

  it('is infinite again after a reset', () => {
    const lag = new ReplicaLag();
    lag.note({ position: 50, at: 1_000 }, 50);
    lag.reset();
    expect(lag.at(1_000)).toBe(Number.POSITIVE_INFINITY);
  });
});
