import { unescapeHtml } from '../escape-html.js';
import type { CodeHighlighter } from './code-highlighter.service.js';

const BLOCK = /(?<start><code class="language-(?<language>[^"]+)">)(?<code>[^<]+)(?=<\/code>)/g;
const MAX_BLOCKS = 50;

/** Returns whether rendered Markdown has code blocks that name their language. */
export function hasCodeBlocks(html: string): boolean {
  return html.includes('<code class="language-');
}

/** Highlights the code blocks of rendered Markdown that name their language. */
export async function highlightBlocks(html: string, highlighter: CodeHighlighter): Promise<string> {
  const blocks = [...html.matchAll(BLOCK)].slice(0, MAX_BLOCKS);
  const highlighted = await Promise.all(
    blocks.map(async ({ groups: { start = '', language = '', code = '' } = {} }) => {
      const lines = await highlighter.highlight([unescapeHtml(code)], language);
      return start + (lines?.[0]?.join('\n') ?? code);
    }),
  );
  let end = 0;
  const parts = blocks.map(({ index, 0: { length } }, at) => {
    const between = html.slice(end, index);
    end = index + length;
    return between + (highlighted[at] ?? '');
  });
  return parts.join('') + html.slice(end);
}
