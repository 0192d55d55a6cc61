import { describe, expect, it } from '@jest/globals';
import { countDiffLines, diffLines } from './diff-lines.js';

const DIFF = `@@ -8,3 +8,4 @@ function warp() {
 same
-old
+new
+-- newer
\\ No newline at end of file
@@ -40 +41 @@
-@@ -1 +1 @@
+
`;

describe('diffLines', () => {
  it('numbers the lines of each side from where their hunk begins', () => {
    expect(diffLines(DIFF)).toEqual([
      { kind: 'hunk', oldLine: null, newLine: null, text: '@@ -8,3 +8,4 @@ function warp() {' },
      { kind: 'context', oldLine: 8, newLine: 8, text: 'same' },
      { kind: 'removed', oldLine: 9, newLine: null, text: 'old' },
      { kind: 'added', oldLine: null, newLine: 9, text: 'new' },
      { kind: 'added', oldLine: null, newLine: 10, text: '-- newer' },
      { kind: 'remark', oldLine: null, newLine: null, text: 'No newline at end of file' },
      { kind: 'hunk', oldLine: null, newLine: null, text: '@@ -40 +41 @@' },
      { kind: 'removed', oldLine: 40, newLine: null, text: '@@ -1 +1 @@' },
      { kind: 'added', oldLine: null, newLine: 41, text: '' },
    ]);
    expect(countDiffLines(DIFF)).toBe(9);
  });

  it('answers nothing for a change without hunks', () => {
    expect(diffLines('')).toEqual([]);
    expect(countDiffLines('')).toBe(0);
  });
});
