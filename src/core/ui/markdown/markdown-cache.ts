import { createHash } from 'node:crypto';
import { type MarkdownBudget } from './markdown-budget.js';
import { markdownHtml } from './markdown-html.js';
import type { RelativeLinks } from './markdown-links.js';

const MAX_CHARACTERS = 4_000_000;
/** Shorter texts render faster than their digest is computed. */
const MIN_LENGTH = 500;

/** HTML by source digest, least recently used first. */
const rendered = new Map<string, string>();
let characters = 0;

interface RenderingOptions {
  links: RelativeLinks | undefined;
  budget: MarkdownBudget;
}

/** Renders as `markdownHtml`; recently rendered texts are cached and cost no budget. */
export function cachedMarkdownHtml(text: string, { links, budget }: RenderingOptions): string {
  const render = (): string => markdownHtml(text, links?.addressOf, budget);
  if (text.length < MIN_LENGTH) return render();
  const digest = createHash('sha256')
    .update(`${links?.base ?? ''}\0${text}`)
    .digest('base64');
  const known = rendered.get(digest);
  // A budget that other texts of the page have reduced can cut this one short.
  const isOwnResult = budget.isFresh;
  const html = known ?? render();
  if (known !== undefined || isOwnResult) remember(digest, html);
  return html;
}

function remember(digest: string, html: string): void {
  forget(digest);
  rendered.set(digest, html);
  characters += html.length;
  for (const oldest of rendered.keys()) {
    if (characters <= MAX_CHARACTERS) return;
    forget(oldest);
  }
}

function forget(digest: string): void {
  characters -= rendered.get(digest)?.length ?? 0;
  rendered.delete(digest);
}
