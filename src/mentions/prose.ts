/** A line that begins a list; lines beneath it are indented without being code. */
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;

/** Follows the blocks of code of a text, line by line (CommonMark 0.31 §4.4 and §4.5). */
class CodeBlocks {
  private fence: string | null = null;
  private isInList = false;
  private mayBeginIndented = true;

  /** Returns true if the next line is part of a code block. */
  take(line: string): boolean {
    const [, mark = null] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (this.fence !== null) {
      if (mark?.startsWith(this.fence) && line.trim() === mark) this.fence = null;
      return true;
    }
    if (mark !== null && !(mark.startsWith('`') && line.replace(mark, '').includes('`'))) {
      this.fence = mark;
      return true;
    }
    return this.isIndented(line);
  }

  private isIndented(line: string): boolean {
    if (line.trim() === '') {
      this.mayBeginIndented = true;
      return false;
    }
    const isIndented = /^(?: {4}| {0,3}\t)/.test(line);
    if (isIndented && this.mayBeginIndented && !this.isInList) return true;
    if (!isIndented) this.isInList = LIST_ITEM.test(line) || (this.isInList && /^\s/.test(line));
    this.mayBeginIndented = false;
    return false;
  }
}

/** The paragraphs of a Markdown text that have an `@`, without their code, in linear time. */
export function proseOf(text: string): string[] {
  const blocks = new CodeBlocks();
  const paragraphs: string[] = [];
  let lines: string[] = [];
  const endParagraph = (): void => {
    if (lines.some((line) => line.includes('@'))) paragraphs.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split(/\r\n?|\n/)) {
    if (!blocks.take(line) && line.trim() !== '') lines.push(line);
    else if (lines.length > 0) endParagraph();
  }
  endParagraph();
  return paragraphs.map(withoutCodeSpans);
}

/** A span ends at the next run of as many backticks as began it (CommonMark 0.31 §6.1). */
function withoutCodeSpans(paragraph: string): string {
  const parts = paragraph.split(/(`+)/);
  const last = new Map<string, number>();
  for (let run = 1; run < parts.length; run += 2) last.set(parts[run] ?? '', run);
  const kept: string[] = [];
  let end: string | null = null;
  for (const [position, part] of parts.entries()) {
    const isRun = position % 2 === 1;
    if (end !== null) {
      if (part === end) end = null;
      continue;
    }
    if (isRun && (last.get(part) ?? 0) > position) end = part;
    kept.push(isRun ? '`' : part);
  }
  return kept.join('');
}
