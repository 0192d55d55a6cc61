import type { VNode } from 'preact';
import { markdownHtml } from '../markdown/markdown-html.js';
import type { AddressOf } from '../markdown/markdown-links.js';

/** Longer texts are shown as they were written: a page must not take seconds to make. */
const MAX_RENDERED_LENGTH = 50_000;

/** The same for all texts of a list together. */
const MAX_RENDERED_TOGETHER = 100_000;

interface MarkdownProps {
  text: string;
  /** Shown as it was written: there are too many others on the page (see `asWritten`). */
  plain?: boolean;
  /** Where links without a host lead; they are left as typed unless given. */
  addressOf?: AddressOf;
}

/** A text in Markdown, as safe HTML; what a person or a machine wrote may stand in it. */
export function Markdown({ text, plain = false, addressOf }: MarkdownProps): VNode {
  if (plain || text.length > MAX_RENDERED_LENGTH) {
    return (
      <pre class="whitespace-pre-wrap" tabIndex={0}>
        {text}
      </pre>
    );
  }
  return (
    <div class="markdown" dangerouslySetInnerHTML={{ __html: markdownHtml(text, addressOf) }} />
  );
}

/** Which texts of a list are too much for one page, in its order: those are shown as written. */
export function asWritten(texts: readonly string[]): boolean[] {
  let left = MAX_RENDERED_TOGETHER;
  return texts.map((text) => {
    const isTooMuch = text.length > left;
    if (!isTooMuch) left -= text.length;
    return isTooMuch;
  });
}
