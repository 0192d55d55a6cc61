import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { countCacheRequest } from '../../metrics/process-metrics.js';
import { type MarkdownBudget } from './markdown-budget.js';
import { markedMarkdownPart } from './markdown-html.js';
import type { RelativeLinks } from './markdown-links.js';
import { renderRest } from './markdown-rest.js';

const MAX_CHARACTERS = 4_000_000;
/** Lifetime of an entry in milliseconds. */
const KEPT_MS = 3_600_000;
/** Shorter texts render faster than their digest is computed. */
const MIN_LENGTH = 500;

const CODE_BLOCK = /<pre tabindex="0"><code[^>]*>.*?<\/code><\/pre>/gs;
const COPYABLE =
  '<div class="copyable">$&<clipboard-copy class="copy" role="button" tabindex="0" title="Copy code" aria-label="Copy code"></clipboard-copy></div>';

/** HTML by source digest. */
const rendered = new LRUCache<string, string>({
  maxSize: MAX_CHARACTERS,
  ttl: KEPT_MS,
  ttlAutopurge: true,
  sizeCalculation: (html) => Math.max(1, html.length),
});

interface RenderingOptions {
  links: RelativeLinks | undefined;
  budget: MarkdownBudget;
}

/**
 * Renders as `markedMarkdownPart`, with copy buttons for code blocks; recently rendered texts are
 * cached and cost no budget. Beyond the budget the rest is rendered in the background: a mark stands
 * in for it (`finishedMarkdown`), with its source.
 */
export function cachedMarkdownHtml(text: string, { links, budget }: RenderingOptions): string {
  const digest = text.length < MIN_LENGTH ? null : digestOf(text, links);
  const known = digest === null ? undefined : rendered.get(digest);
  if (digest !== null) countCacheRequest('markdown', known !== undefined);
  if (known !== undefined) return known;
  const context = { references: {}, headings: new Set<string>() };
  const addressOf = links?.addressOf;
  const { html: beginning, rest } = markedMarkdownPart(text, { addressOf, budget, context });
  const html = withCopyButtons(beginning);
  if (rest === '') {
    if (digest !== null) rendered.set(digest, html);
    return html;
  }
  const key = digest ?? digestOf(text, links);
  const finished = renderRest({ key, rest }, { addressOf, context }, (end) => {
    const copyable = withCopyButtons(end);
    rendered.set(key, html + copyable);
    return copyable;
  });
  return html + finished;
}

function withCopyButtons(html: string): string {
  return html.replace(CODE_BLOCK, COPYABLE);
}

function digestOf(text: string, links: RelativeLinks | undefined): string {
  return createHash('sha256')
    .update(`${links?.base ?? ''}\0${text}`)
    .digest('base64url');
}
