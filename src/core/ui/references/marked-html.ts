import type { MarkdownIt, StateCore, Token } from 'markdown-it';
import { escapeHtml } from '../escape-html.js';
import {
  isReferable,
  MAX_REFERENCES,
  type Reference,
  referenceKey,
  referencesIn,
} from './reference.js';

/**
 * References are marked when a text is rendered, which is the same for everyone and cached, and
 * become links or plain text on each page. No HTML of a text reaches a page, so the mark is ours.
 */
const MARK = /<ref-mark key="([^"]*)">(.*?)<\/ref-mark>/gs;

/** Requests marks from the renderer. */
export interface MarkingEnvironment {
  marksReferences?: boolean;
}

/** Makes a parser mark references outside of code and links, and URLs that may be ones. */
export function markReferencesOf(markdown: MarkdownIt): void {
  // Before escaped characters join the text around them: `\#1` is no reference.
  markdown.core.ruler.before('text_join', 'references', markAll);
  markdown.renderer.rules['reference_open'] = (tokens, at) => openMark(tokens[at]?.info ?? '');
  markdown.renderer.rules['reference_close'] = () => '</ref-mark>';
}

/**
 * Returns plain text as HTML with marks; other URLs become links and text in backticks code. A
 * reference or URL before an ellipsis that ends the text stays plain: what was truncated would
 * lead elsewhere.
 */
export function markedText(text: string): string {
  const end = ELLIPSIS.exec(text)?.index ?? Infinity;
  return partsOf({ text, end }, codeIn(text))
    .map((part, at) => (at % 2 === 1 ? codeHtml(part) : linkedHtml(part)))
    .join('');
}

/** Returns plain text as HTML with text in backticks as code, for texts inside links. */
export function textWithCode(text: string): string {
  return partsOf({ text, end: Infinity }, codeIn(text))
    .map((part, at) => (at % 2 === 1 ? codeHtml(part) : escapeHtml(part.text)))
    .join('');
}

function codeHtml({ text }: TextPart): string {
  const { length } = /^`+ ?/.exec(text)?.[0] ?? '';
  return `<code>${escapeHtml(text.slice(length, -length))}</code>`;
}

function linkedHtml(whole: TextPart): string {
  return partsOf(whole, urlsIn(whole.text))
    .map((part, at) => (at % 2 === 1 ? urlHtml(part) : marked(part)))
    .join('');
}

/** Splits the text at the spans, which are every second part. */
function partsOf({ text, end }: TextPart, spans: readonly Span[]): TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  for (const { start, length } of spans) {
    parts.push({ text: text.slice(done, start), end: end - done });
    done = start + length;
    parts.push({ text: text.slice(start, done), end: end - start });
  }
  return [...parts, { text: text.slice(done), end: end - done }];
}

/** Part of a text, and where in it the text is truncated. */
interface TextPart {
  text: string;
  end: number;
}

interface Span {
  start: number;
  length: number;
}

/**
 * Returns code between runs of backticks of equal length in one line, as in CommonMark, with a space
 * inside both or neither: quotes of Git such as "`this' and `that'" are no code. Takes time in
 * proportion to the text, whatever runs it has.
 */
function codeIn(text: string): Span[] {
  const marks = [...text.matchAll(/\n|`+/g)];
  const partners = partnersOf(marks);
  const spans: Span[] = [];
  let done = 0;
  marks.forEach(({ 0: run, index }, at) => {
    const partner = index < done ? undefined : partners[at];
    if (partner === undefined) return;
    const inside = text.slice(index + run.length, partner);
    if (inside.trim() === '' || inside.startsWith(' ') !== inside.endsWith(' ')) return;
    done = partner + run.length;
    spans.push({ start: index, length: done - index });
  });
  return spans;
}

/** Returns for each run where the next one of its length in its line begins. */
function partnersOf(marks: readonly RegExpExecArray[]): (number | undefined)[] {
  const next = new Map<number, number>();
  const partners = marks.toReversed().map(({ 0: run, index }) => {
    if (run === '\n') {
      next.clear();
      return undefined;
    }
    const partner = next.get(run.length);
    next.set(run.length, index);
    return partner;
  });
  return partners.reverse();
}

const ELLIPSIS = /(?:…|\.{3})$/;

export function hasReferences(html: string): boolean {
  return html.includes('<ref-mark ');
}

/** Returns the HTML with each mark replaced. */
export function replaceReferences(
  html: string,
  replacement: (key: string, content: string) => string,
): string {
  return html.replace(MARK, (_, key: string, content: string) => replacement(key, content));
}

/** Punctuation at the end of a sentence does not belong to the URL. */
const URLS = /https?:\/\/[^\s<>"']*[^\s<>"'.,:;!?()[\]]/gi;

function urlsIn(text: string): Span[] {
  return [...text.matchAll(URLS)].map(({ 0: url, index }) => ({
    start: index,
    length: url.length,
  }));
}

function urlHtml({ text: url, end: truncated }: TextPart): string {
  const address = escapeHtml(url);
  if (url.length >= truncated) return address;
  const link = `<a href="${address}" rel="nofollow noopener noreferrer">${address}</a>`;
  return isReferable(url) ? `${openMark(urlKey(url))}${link}</ref-mark>` : link;
}

function marked({ text, end: truncated }: TextPart): string {
  let end = 0;
  const whole = referencesIn(text).filter((one) => one.end < truncated);
  const parts = whole.map(({ start, end: next, reference }) => {
    const before = text.slice(end, start);
    end = next;
    const mark = openMark(referenceKey(reference));
    return `${escapeHtml(before)}${mark}${escapeHtml(text.slice(start, next))}</ref-mark>`;
  });
  return parts.join('') + escapeHtml(text.slice(end));
}

function openMark(key: string): string {
  return `<ref-mark key="${escapeHtml(key)}">`;
}

function urlKey(url: string): string {
  const reference: Reference = { kind: 'url', project: '', name: url };
  return referenceKey(reference);
}

function markAll(state: StateCore): void {
  if ((state.env as MarkingEnvironment).marksReferences !== true) return;
  const marker = new Marker(state);
  for (const token of state.tokens) {
    if (token.children !== null) token.children = marker.mark(token.children);
  }
}

/** Goes through the parts of a text in their order. */
class Marker {
  private left = MAX_REFERENCES;

  constructor(private readonly state: StateCore) {}

  mark(tokens: readonly Token[]): Token[] {
    let isInLink = false;
    let closing: Token | null = null;
    return tokens.flatMap((token, at) => {
      if (token.type === 'link_open') {
        isInLink = true;
        const url = token.info === 'auto' ? String(token.attrGet('href')) : '';
        if (!isReferable(url) || this.left <= 0) return [token];
        this.left -= 1;
        closing = this.closing();
        return [this.opening(urlKey(url)), token];
      }
      if (token.type === 'link_close') {
        isInLink = false;
        const end = closing === null ? [token] : [token, closing];
        closing = null;
        return end;
      }
      return token.type === 'text' && !isInLink ? this.split(token, tokens[at - 1]) : [token];
    });
  }

  /** An escaped character before the text belongs to its first word. */
  private split(token: Token, previous: Token | undefined): Token[] {
    const before = previous?.type === 'text_special' ? previous.content : '';
    const text = before + token.content;
    const tokens: Token[] = [];
    let end = before.length;
    for (const { start, end: next, reference } of referencesIn(text)) {
      if (start < before.length) continue;
      if (this.left <= 0) break;
      this.left -= 1;
      if (start > end) tokens.push(this.text(text.slice(end, start)));
      const mark = this.opening(referenceKey(reference));
      tokens.push(mark, this.text(text.slice(start, next)), this.closing());
      end = next;
    }
    if (tokens.length === 0) return [token];
    if (end < text.length) tokens.push(this.text(text.slice(end)));
    return tokens;
  }

  private text(content: string): Token {
    const token = new this.state.Token('text', '', 0);
    token.content = content;
    return token;
  }

  private opening(key: string): Token {
    const token = new this.state.Token('reference_open', '', 0);
    token.info = key;
    return token;
  }

  private closing(): Token {
    return new this.state.Token('reference_close', '', 0);
  }
}
