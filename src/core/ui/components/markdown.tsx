import type { VNode } from 'preact';
import { markdownHtml } from '../markdown/markdown-html.js';

/** Longer texts are shown as they were written: a page must not take seconds to make. */
const MAX_RENDERED_LENGTH = 100_000;

/** A text in Markdown, as safe HTML; what a person or a machine wrote may stand in it. */
export function Markdown({ text }: { text: string }): VNode {
  if (text.length > MAX_RENDERED_LENGTH) {
    return (
      <pre class="whitespace-pre-wrap" tabIndex={0}>
        {text}
      </pre>
    );
  }
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: markdownHtml(text) }} />;
}
