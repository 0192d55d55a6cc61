import type { VNode } from 'preact';
import { counted } from '../../../core/ui/amounts.js';
import { EmptyState } from '../../../core/ui/components/content.js';
import type { DiffSet, FileDiff } from '../../../git/reading/diffs.js';
import { countDiffLines } from '../diff-lines.js';
import { FileDiffCard } from './file-diff-card.js';

interface DiffViewProps {
  diff: DiffSet;
  /** Address of the page that shows a file as it is after the change; null = there is none. */
  fileHref?(path: string): string | null;
}

/** One page shows no more than this: making it must not keep others waiting. */
const BOUNDS = { lines: 5_000, characters: 600_000 };

/** Diff: its size, the changed files, and each file line by line. */
export function DiffView({ diff, fileHref }: DiffViewProps): VNode {
  const { files, isOverflowing } = diff;
  if (files.length === 0 && isOverflowing) return <TooLarge />;
  if (files.length === 0) return <EmptyState title="No files have changed" />;
  const isShown = withinBounds(files);
  return (
    <>
      <div class="grid gap-2">
        <p>
          <Totals files={files} />
          {isOverflowing && ' This diff is truncated.'}
        </p>
        {files.length > 1 && <FileList files={files} />}
      </div>
      {files.map((file, at) => (
        <FileDiffCard
          key={at}
          file={file}
          id={fileAnchor(at)}
          isShown={isShown[at] === true}
          href={file.isDeleted ? null : (fileHref?.(file.newPath) ?? null)}
        />
      ))}
    </>
  );
}

function TooLarge(): VNode {
  return (
    <EmptyState title="These changes are too large to display">
      Clone the repository to see them.
    </EmptyState>
  );
}

/** ID of a file's changes within the page, by its place in the list. */
function fileAnchor(at: number): string {
  return `file-${at + 1}`;
}

/** Address within the page of a line that changed; null when the file is not among those shown. */
export function lineAnchor(
  files: readonly FileDiff[],
  { path, line, type }: { path: string; line: number; type: 'new' | 'old' },
): string | null {
  const at = files.findIndex((file) => (type === 'new' ? file.newPath : file.oldPath) === path);
  return at === -1 ? null : `${fileAnchor(at)}-${type}-${line}`;
}

function Totals({ files }: { files: readonly FileDiff[] }): VNode {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return (
    <>
      {`${counted(files.length, 'file')} changed: `}
      <span class="text-success font-medium">{`${counted(additions, 'line')} added`}</span>
      {', '}
      <span class="text-destructive font-medium">{`${counted(deletions, 'line')} removed`}</span>
      {'.'}
    </>
  );
}

function FileList({ files }: { files: readonly FileDiff[] }): VNode {
  return (
    <details>
      <summary>Changed files</summary>
      <ul class="mt-2 grid gap-1 text-sm">
        {files.map((file, at) => (
          <li key={at} class="flex flex-wrap gap-x-3">
            <a class="prose-link min-w-0 break-all" href={`#${fileAnchor(at)}`}>
              {file.isDeleted ? file.oldPath : file.newPath}
            </a>
            <span class="text-muted-foreground tabular-nums">
              {`+${file.additions} −${file.deletions}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function withinBounds(files: readonly FileDiff[]): boolean[] {
  const left = { ...BOUNDS };
  return files.map(({ diff }) => {
    const lines = countDiffLines(diff);
    if (lines > left.lines || diff.length > left.characters) return false;
    left.lines -= lines;
    left.characters -= diff.length;
    return true;
  });
}
