import { createHash } from 'node:crypto';
import { type MarkdownBudget } from './markdown-budget.js';
import { markdownHtml } from './markdown-html.js';
import type { RelativeLinks } from './markdown-links.js';

const MAX_CHARACTERS = 4_000_000;
/** Shorter texts are rendered sooner than their digest is found. */
const MIN_LENGTH = 500;

/** HTML of texts by their digest, the least recently used first. */
const rendered = new Map<string, string>();
let characters = 0;

interface RenderingOptions {
  links: RelativeLinks | undefined;
  budget: MarkdownBudget;
}

/** Returns what `markdownHtml` does; a text that was rendered lately costs nothing of the budget. */
export function cachedMarkdownHtml(text: string, { links, budget }: RenderingOptions): string {
  const render = (): string => markdownHtml(text, links?.addressOf, budget);
  if (text.length < MIN_LENGTH) return render();
  const digest = createHash('sha256')
    .update(`${links?.base ?? ''}\0${text}`)
    .digest('base64');
  const known = rendered.get(digest);
  // What others of its page left of the budget decides how far a text gets.
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
