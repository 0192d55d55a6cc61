import { describe, expect, it } from '@jest/globals';
import { UncountedListCache } from './uncounted-list-cache.js';

describe('lists known to be long', () => {
  it('are counted again after half a minute', () => {
    let now = 0;
    const lists = new UncountedListCache(() => now);
    lists.add('a');
    now = 29_999;
    expect([lists.has('a'), lists.has('b')]).toEqual([true, false]);
    now = 30_000;
    expect(lists.has('a')).toBe(false);
    lists.add('a');
    expect(lists.has('a')).toBe(true);
  });

  it('are a thousand at most, of which the first ones go first', () => {
    const lists = new UncountedListCache(() => 0);
    for (let number = 0; number < 1_001; number += 1) lists.add(`list ${number}`);
    expect(lists.has('list 0')).toBe(false);
    expect([lists.has('list 1'), lists.has('list 1000')]).toEqual([true, true]);
  });
});
