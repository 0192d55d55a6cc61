import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../test/support/effort.js';
import { closedIssueNumbers } from './merge-request-contents.service.js';

describe('closedIssueNumbers', () => {
  it.each([
    ['Closes #1', [1]],
    ['closes: #2, #3 and #4', [2, 3, 4]],
    ['Fixed #5. Resolves #6, and #7', [5, 6, 7]],
    ['This implements #8 and mentions #9', [8]],
    ['closes #1 closes #1', [1]],
    ['enclose #1, prefix #2, discloses #3', []],
    ['closes group/project#1', []],
    ['closes #1a', []],
    ['Merge branch closes#1', []],
    ['', []],
  ])('finds in %j %j', (text, numbers) => {
    expect(closedIssueNumbers(text)).toEqual(numbers);
  });

  it('stays fast and bounded on long texts', () => {
    const long = [
      `closes${' '.repeat(500_000)}`,
      'closes #1 and '.repeat(70_000),
      `closes ${'#1, '.repeat(200_000)}`,
    ];
    expect(long.map(closedIssueNumbers)).toEqual([[], [1], [1]]);
    for (const text of long) expect(effortOf(() => closedIssueNumbers(text))).toBeLessThan(15);
    const many = Array.from({ length: 500 }, (_, n) => `closes #${n}`).join(' ');
    expect(closedIssueNumbers(many)).toHaveLength(50);
  });
});
