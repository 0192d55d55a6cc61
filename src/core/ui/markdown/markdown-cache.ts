import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Semaphore } from '../../concurrency.js';
import { countCacheRequest } from '../../metrics/metrics-registry.js';
import { MarkdownBudget } from './markdown-budget.js';
import { markedMarkdownPart, plainRest, type TextContext } from './markdown-html.js';
import type { AddressOf, RelativeLinks } from './markdown-links.js';

/** Parts of a text beyond the first one, each within a budget of its own. */
const MAX_PARTS = 20;
/** Texts that wait for their turn; the rest of further ones is shown as source. */
const MAX_WAITING = 16;
/** A page waits this long at most. */
const PATIENCE_MS = 2_000;

/** One text at a time, so that long texts of many pages do not add up. */
const turns = new Semaphore({ capacity: 1, queue: MAX_WAITING });

/** HTML of the rest of texts that are being rendered, by digest. */
const running = new Map<string, Promise<string>>();

const MARK = /<markdown-rest key="([^"]*)">(.*?)<\/markdown-rest>/gs;

interface RestOptions {
  addressOf: AddressOf | undefined;
  context: TextContext;
}

/**
 * Renders the rest of a text a part at a time, between other work of the process; `onEnd` completes
 * its HTML. Returns a mark for `finishedMarkdown`, or the source when too many texts wait.
 */
function renderRest(
  { key, rest }: { key: string; rest: string },
  options: RestOptions,
  onEnd: (html: string) => string,
): string {
  const source = plainRest(rest);
  if (!running.has(key)) {
    if (running.size > MAX_WAITING) return source;
    const html = turns
      .run(() => partsOf(rest, options))
      .then(onEnd)
      .finally(() => running.delete(key));
    html.catch(() => undefined);
    running.set(key, html);
  }
  return `<markdown-rest key="${key}">${source}</markdown-rest>`;
}

/** Returns true for HTML whose rest is being rendered. */
export function isUnfinished(html: string): boolean {
  return html.includes('<markdown-rest ');
}

/** Returns the HTML with the rest in place of its mark; with its source if that takes too long. */
export async function finishedMarkdown(html: string): Promise<string> {
  const [, key = ''] = new RegExp(MARK, 's').exec(html) ?? [];
  const work = running.get(key)?.catch(() => null);
  const end = await Promise.race([work ?? null, sleep(PATIENCE_MS, null, { ref: false })]);
  return html.replace(MARK, (_, __, source: string) => end ?? source);
}

/** Returns the HTML with the source of the rest, where nothing can be waited for. */
export function withPlainRest(html: string): string {
  return html.replace(MARK, (_, __, source: string) => source);
}

async function partsOf(text: string, options: RestOptions): Promise<string> {
  const parts: string[] = [];
  let left = text;
  for (let count = 0; left !== '' && count < MAX_PARTS; count += 1) {
    await nextTurn();
    const { html, rest } = markedMarkdownPart(left, { ...options, budget: new MarkdownBudget() });
    // One block exceeds a whole budget.
    if (rest === left) break;
    parts.push(html);
    left = rest;
  }
  return parts.join('').replaceAll(TASK_BOX, FIXED_BOX) + plainRest(left);
}

/** Only tasks of the first part have buttons (`withTaskButtons`). */
const TASK_BOX = '<input type="checkbox" disabled ';
const FIXED_BOX = '<input disabled type="checkbox" ';

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
