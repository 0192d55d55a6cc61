import { describe, expect, it } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import type { FileDiff } from '../../../git/reading/diffs.js';
import { DiffView, lineAnchor } from './diff-view.js';

function fileWith(lines: number, attributes: Partial<FileDiff> = {}): FileDiff {
  const added = Array.from({ length: lines }, (_, at) => `+line ${at}\n`).join('');
  return {
    oldPath: 'a.txt',
    newPath: 'a.txt',
    aMode: '100644',
    bMode: '100644',
    isNew: false,
    isRenamed: false,
    isDeleted: false,
    isBinary: false,
    isTooLarge: false,
    diff: lines === 0 ? '' : `@@ -0,0 +1,${lines} @@\n${added}`,
    additions: lines,
    deletions: 0,
    ...attributes,
  };
}

function rendered(...files: FileDiff[]): string {
  return renderToString(DiffView({ diff: { files, isOverflowing: false } }));
}

describe('DiffView', () => {
  it('shows whole files as long as there is room for them', () => {
    const html = rendered(fileWith(3_000), fileWith(3_000), fileWith(10));
    expect(html).toContain('id="file-1-new-3000"');
    expect(html).not.toContain('id="file-2-new-1"');
    expect(html).toContain('Diff not shown: this page has too many changes.');
    expect(html).toContain('id="file-3-new-10"');
    expect(html).toContain('3 files changed: ');
  });

  it('shows why a file has no lines', () => {
    expect(rendered(fileWith(0, { isBinary: true }))).toContain('Binary file.');
    expect(rendered(fileWith(0, { isTooLarge: true }))).toContain('too large to display');
    expect(rendered(fileWith(0, { isNew: true }))).toContain('The file is empty.');
    const renamed = rendered(fileWith(0, { isRenamed: true, newPath: 'b.txt' }));
    expect(renamed).toContain('Content unchanged.');
    expect(renamed).toContain('a.txt → b.txt');
    const program = rendered(fileWith(0, { bMode: '100755' }));
    expect(program).toContain('Mode 100644 → 100755');
    expect(rendered()).toContain('No files have changed');
  });

  it('shows that the diff is truncated', () => {
    const diff = { files: [fileWith(1)], isOverflowing: true };
    expect(renderToString(DiffView({ diff }))).toContain('This diff is truncated');
  });

  it('links to files only where there is an address and a file', () => {
    const files = [fileWith(1), fileWith(1, { isDeleted: true })];
    const html = renderToString(
      DiffView({ diff: { files, isOverflowing: false }, fileHref: (path) => `/at/${path}` }),
    );
    expect(html.match(/href="\/at\/a\.txt"/g)).toHaveLength(1);
  });
});

describe('lineAnchor', () => {
  it('names a line of either side, and nothing for a file that is not shown', () => {
    const files = [fileWith(1), fileWith(1, { oldPath: 'b.txt', newPath: 'c.txt' })];
    const at = (path: string, type: 'new' | 'old') => lineAnchor(files, { path, line: 3, type });
    expect(at('c.txt', 'new')).toBe('file-2-new-3');
    expect(at('b.txt', 'old')).toBe('file-2-old-3');
    expect(at('d.txt', 'new')).toBeNull();
  });
});
