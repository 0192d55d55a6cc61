/** A line of a file's changes with its numbers before and after. */
export interface DiffLine {
  kind: 'hunk' | 'context' | 'added' | 'removed' | 'remark';
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

const HUNK = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@/;

/** Reads the hunks of one file as git writes them (git-diff(1), "Generating patch text"). */
export function diffLines(diff: string): DiffLine[] {
  if (diff === '') return [];
  const next = { oldLine: 0, newLine: 0 };
  const lines = diff.endsWith('\n') ? diff.slice(0, -1) : diff;
  return lines.split('\n').map((line) => readLine(line, next));
}

/** Returns the number of lines of `diffLines`. */
export function countDiffLines(diff: string): number {
  let count = 0;
  for (let at = diff.indexOf('\n'); at !== -1; at = diff.indexOf('\n', at + 1)) count += 1;
  return count;
}

function readLine(line: string, next: { oldLine: number; newLine: number }): DiffLine {
  const text = line.slice(1);
  switch (line[0]) {
    case '+':
      return { kind: 'added', oldLine: null, newLine: next.newLine++, text };
    case '-':
      return { kind: 'removed', oldLine: next.oldLine++, newLine: null, text };
    case '@': {
      const [, oldLine, newLine] = HUNK.exec(line) ?? [];
      next.oldLine = Number(oldLine ?? 0);
      next.newLine = Number(newLine ?? 0);
      return { kind: 'hunk', oldLine: null, newLine: null, text: line };
    }
    case '\\':
      return { kind: 'remark', oldLine: null, newLine: null, text: text.trim() };
    default:
      return { kind: 'context', oldLine: next.oldLine++, newLine: next.newLine++, text };
  }
}
