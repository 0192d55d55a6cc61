import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type MarkdownBudget } from './markdown-budget.js';
import { markedMarkdownHtml } from './markdown-html.js';
import type { RelativeLinks } from './markdown-links.js';

const MAX_CHARACTERS = 4_000_000;
/** Shorter texts render faster than their digest is computed. */
const MIN_LENGTH = 500;

const CODE_BLOCK = /<pre tabindex="0"><code[^>]*>.*?<\/code><\/pre>/gs;
const COPYABLE =
  '<div class="copyable">$&<clipboard-copy class="copy" role="button" tabindex="0" title="Copy code" aria-label="Copy code"></clipboard-copy></div>';

/** HTML by source digest. */
const rendered = new LRUCache<string, string>({
  maxSize: MAX_CHARACTERS,
  sizeCalculation: (html) => Math.max(1, html.length),
});

interface RenderingOptions {
  links: RelativeLinks | undefined;
  budget: MarkdownBudget;
}

/**
 * Renders as `markedMarkdownHtml`, with copy buttons for code blocks; recently rendered texts are cached and
 * cost no budget.
 */
export function cachedMarkdownHtml(text: string, { links, budget }: RenderingOptions): string {
  const render = (): string =>
    markedMarkdownHtml(text, links?.addressOf, budget).replace(CODE_BLOCK, COPYABLE);
  if (text.length < MIN_LENGTH) return render();
  const digest = createHash('sha256')
    .update(`${links?.base ?? ''}\0${text}`)
    .digest('base64');
  const known = rendered.get(digest);
  if (known !== undefined) return known;
  // A budget that other texts of the page have reduced can cut this one short.
  const isOwnResult = budget.isFresh;
  const html = render();
  if (isOwnResult) rendered.set(digest, html);
  return html;
}
