import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Badge } from '../../../core/ui/components/content.js';
import type { FileDiff } from '../../../git/reading/diffs.js';
import { diffLines, type DiffLine } from '../diff-lines.js';

interface FileDiffCardProps {
  file: FileDiff;
  /** Of the card within the page; ids of its lines begin with it. */
  id: string;
  /** False = the page has no room for its lines. */
  isShown: boolean;
  /** Address of the file after the change. */
  href: string | null;
}

/** Diff of one file in unified form. */
export function FileDiffCard({ file, id, isShown, href }: FileDiffCardProps): VNode {
  const remark = remarkOn(file, isShown);
  return (
    <section class="card scroll-mt-4" id={id} aria-labelledby={`${id}-name`}>
      <header>
        <div class="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h3 class="min-w-0 font-mono text-sm font-medium break-all" id={`${id}-name`}>
            {nameOf(file)}
          </h3>
          <Marks file={file} />
        </div>
        {href !== null && (
          <ButtonLink href={href} variant="outline" size="small">
            View file
          </ButtonLink>
        )}
      </header>
      {remark === null ? (
        <Lines file={file} id={id} />
      ) : (
        <p class="text-muted-foreground p-4">{remark}</p>
      )}
    </section>
  );
}

function nameOf({ oldPath, newPath, isRenamed, isDeleted }: FileDiff): string {
  if (isDeleted) return oldPath;
  return isRenamed ? `${oldPath} → ${newPath}` : newPath;
}

function Marks({ file }: { file: FileDiff }): VNode {
  const { isNew, isDeleted, isRenamed, aMode, bMode, additions, deletions } = file;
  const hasOtherMode = !isNew && !isDeleted && aMode !== bMode;
  return (
    <span class="flex flex-wrap items-center gap-2">
      {isNew && <Badge tone="success">Added</Badge>}
      {isDeleted && <Badge tone="danger">Deleted</Badge>}
      {isRenamed && <Badge tone="info">Renamed</Badge>}
      {hasOtherMode && <Badge>{`Mode ${aMode} → ${bMode}`}</Badge>}
      {additions + deletions > 0 && (
        <span class="text-sm tabular-nums">
          <span class="text-success">{`+${additions}`}</span>{' '}
          <span class="text-destructive">{`−${deletions}`}</span>
        </span>
      )}
    </span>
  );
}

/** Why there are no lines; null when there are. */
function remarkOn(file: FileDiff, isShown: boolean): string | null {
  if (file.isBinary) return 'The file is not text.';
  if (file.isTooLarge) return 'The changes are too long to be shown here.';
  if (!isShown) return 'There are too many changes for one page; these are left out.';
  if (file.diff !== '') return null;
  return file.isNew || file.isDeleted ? 'The file is empty.' : 'The content is the same.';
}

function Lines({ file, id }: { file: FileDiff; id: string }): VNode {
  const label = `Changes of ${nameOf(file)}`;
  return (
    <div class="code-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="diff">
        <caption class="sr-only">{label}</caption>
        <thead class="sr-only">
          <tr>
            <th scope="col">Line before</th>
            <th scope="col">Line after</th>
            <th scope="col">Change</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {diffLines(file.diff).map((line, at) => (
            <Line key={at} line={line} id={id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const SIGNS: Partial<Record<DiffLine['kind'], string>> = { added: '+', removed: '−' };

function Line({ line, id }: { line: DiffLine; id: string }): VNode {
  const { kind, oldLine, newLine, text } = line;
  if (kind === 'hunk' || kind === 'remark') {
    return (
      <tr data-kind={kind}>
        <td colSpan={3} />
        <td>{text}</td>
      </tr>
    );
  }
  const anchor = newLine === null ? `${id}-old-${oldLine}` : `${id}-new-${newLine}`;
  return (
    <tr id={anchor} data-kind={kind === 'context' ? undefined : kind}>
      <td>{oldLine}</td>
      <td>{newLine}</td>
      <td>{SIGNS[kind]}</td>
      <td>{text}</td>
    </tr>
  );
}
