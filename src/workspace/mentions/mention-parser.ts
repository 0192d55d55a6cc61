import type { MentionTargets } from '../../core/activity/notifications.repository.js';

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
function proseOf(text: string): string[] {
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

/** Limit of mentions per text; further ones have no effect. */
const MAX_NAMES = 100;

/** `[text](address)` and addresses that stand for themselves. */
const ADDRESSES = /\]\([^()\s]*\)|\bhttps?:\/\/[^\s<>()]+/gi;

/**
 * A username or the full path of a group: neither has dots, dashes or underscores at its ends or
 * two of them together. The local part of an email address hides it.
 */
const NAMES =
  /(?<![\p{L}\p{N}@.+/\\-])@([a-z0-9]+(?:[._-][a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-][a-z0-9]+)*)*)/giu;

/**
 * Returns the mentions of a Markdown text, in lower case and each once: not within code, link URLs
 * or email addresses. Includes `all`. Takes linear time.
 */
export function mentionsIn(text: string): string[] {
  if (!text.includes('@')) return [];
  const names = new Set<string>();
  for (const paragraph of proseOf(text)) {
    for (const [, name = ''] of paragraph.replace(ADDRESSES, ' ').matchAll(NAMES)) {
      names.add(name.toLowerCase());
      if (names.size === MAX_NAMES) return [...names];
    }
  }
  return [...names];
}

/** Joins a title and a description to one text, in paragraphs of their own. */
export function titledText(title: string, description: string | null): string {
  return `${title}\n\n${description ?? ''}`;
}

/** Returns whether a text mentions no one. */
export function mentionsNobody({ userIds, namespaceIds, all }: MentionTargets): boolean {
  return userIds.length === 0 && namespaceIds.length === 0 && !all;
}
