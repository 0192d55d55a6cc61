import type { VNode } from 'preact';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Highlighted } from '../../../core/ui/components/code.js';
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
          <h2 class="min-w-0 font-mono text-sm font-medium break-all" id={`${id}-name`}>
            {nameOf(file)}
          </h2>
          <Marks file={file} />
        </div>
        {href !== null && (
          <ButtonLink href={href} variant="outline" size="small">
            View file
          </ButtonLink>
        )}
      </header>
      {remark === null ? (
        <HighlightedLines file={file} id={id} />
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
  if (file.isBinary) return 'Binary file.';
  if (file.isTooLarge) return 'File diff too large to display.';
  if (!isShown) return 'Diff not shown: this page has too many changes.';
  if (file.diff !== '') return null;
  return file.isNew || file.isDeleted ? 'The file is empty.' : 'Content unchanged.';
}

interface LinesProps {
  file: FileDiff;
  id: string;
}

/** Both sides of each hunk are highlighted on their own: what is between hunks is not known. */
function HighlightedLines({ file, id }: LinesProps): VNode {
  const lines = diffLines(file.diff);
  const { texts, positions } = sidesOf(lines);
  return (
    <Highlighted texts={texts} hint={file.isDeleted ? file.oldPath : file.newPath}>
      {(highlighted) => {
        const htmlOf = ({ text, line }: LinePosition): string | undefined =>
          highlighted?.[text]?.[line];
        const html = positions.map((position) => position && htmlOf(position));
        return <Lines file={file} id={id} lines={lines} html={html} />;
      }}
    </Highlighted>
  );
}

/** Number of a text and of a line in it. */
interface LinePosition {
  text: number;
  line: number;
}

/** The text of each hunk before and after the change, and the position of each line in these. */
function sidesOf(lines: readonly DiffLine[]): {
  texts: string[];
  positions: (LinePosition | null)[];
} {
  const texts: string[][] = [];
  const positions = lines.map(({ kind, text }): LinePosition | null => {
    if (kind === 'hunk') texts.push([], []);
    if (kind === 'hunk' || kind === 'remark') return null;
    const [before, after] = texts.slice(-2);
    if (kind !== 'added') before?.push(text);
    if (kind !== 'removed') after?.push(text);
    return kind === 'removed'
      ? { text: texts.length - 2, line: (before?.length ?? 0) - 1 }
      : { text: texts.length - 1, line: (after?.length ?? 0) - 1 };
  });
  return { texts: texts.map((text) => text.join('\n')), positions };
}

interface DiffTableProps extends LinesProps {
  lines: readonly DiffLine[];
  /** Highlighted text of each line, where there is some. */
  html: readonly (string | null | undefined)[];
}

function Lines({ file, id, lines, html }: DiffTableProps): VNode {
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
          {lines.map((line, at) => (
            <Line key={at} line={line} id={id} html={html[at] ?? null} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const SIGNS: Partial<Record<DiffLine['kind'], string>> = { added: '+', removed: '−' };

interface LineProps {
  line: DiffLine;
  id: string;
  html: string | null;
}

function Line({ line, id, html }: LineProps): VNode {
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
      {html === null ? <td>{text}</td> : <td dangerouslySetInnerHTML={{ __html: html }} />}
    </tr>
  );
}
