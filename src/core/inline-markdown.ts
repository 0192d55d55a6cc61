/** Everything that CommonMark, tables, strikethrough or references give a meaning inside a line. */
const SPECIAL = /[\\`*_[\]<>~@#!&$%^|]/g;

/** Addresses that fit between angle brackets as they are; what ends a sentence ends them. */
const WEB_ADDRESSES = /(https?:\/\/[^<>\\`"]*[^<>\\`"'.,;:!?()[\]])/i;

/**
 * Text of someone else as a part of one line of Markdown: white space becomes single spaces, so
 * that it cannot leave its line, and what would be markup, HTML, a mention or a reference shows as
 * it was typed. Only addresses of the web become links, to exactly themselves (CommonMark 0.31,
 * 6.5 Autolinks).
 */
export function inlineMarkdown(text: string): string {
  return wordsOf(text).map(inlineWord).join(' ');
}

function inlineWord(word: string): string {
  // Every second part is what the pattern found.
  return word
    .split(WEB_ADDRESSES)
    .map((part, at) => (at % 2 === 1 ? `<${part}>` : part.replace(SPECIAL, '\\$&')))
    .join('');
}

/** Returns foreign text as a code span, which its backticks cannot end (CommonMark 0.31, 6.1). */
export function codeMarkdown(text: string): string {
  const line = wordsOf(text).join(' ');
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(unusedLength(runs.map((run) => run.length)));
  const padding = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

/** Control characters, some of which are line ends to Markdown, count as white space. */
function wordsOf(text: string): string[] {
  return text.split(/[\s\p{Cc}]+/u).filter((word) => word !== '');
}

/**
 * Returns foreign text as a code block, which its backticks cannot end (CommonMark 0.31, 4.5).
 */
export function codeBlockMarkdown(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The smallest length that no run of backticks in the text has: that one ends the span. */
function unusedLength(lengths: number[]): number {
  const used = new Set(lengths);
  let length = 1;
  while (used.has(length)) length += 1;
  return length;
}
