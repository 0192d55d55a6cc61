import { describe, expect, it } from '@jest/globals';
import { bytesText, counted, durationText } from './amounts.js';

describe('amounts for people', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [99_940, '99.9 kB'],
    [99_960, '100 kB'],
    [999_600, '1.0 MB'],
    [1_540_000_000, '1.5 GB'],
    [5e18, '5000 PB'],
  ])('write %d bytes as %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });

  it.each([
    [0.25, '0.3 s'],
    [59, '59 s'],
    [61, '1 min 1 s'],
    [3_725, '1 h 2 min'],
    [90_000, '1 d 1 h'],
  ])('write %d seconds as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });

  it('count things in the singular and the plural', () => {
    expect([0, 1, 12_345].map((count) => counted(count, 'move'))).toEqual([
      '0 moves',
      '1 move',
      '12,345 moves',
    ]);
    const repositories = [1, 2].map((count) => counted(count, 'repository', 'repositories'));
    expect(repositories).toEqual(['1 repository', '2 repositories']);
  });
});
