import type { VNode } from 'preact';
import { MarkdownBudget } from '../markdown/markdown-budget.js';
import { cachedMarkdownHtml } from '../markdown/markdown-cache.js';
import type { RelativeLinks } from '../markdown/markdown-links.js';

interface MarkdownProps {
  text: string;
  /** Rendering budget, shared by the texts of a list. */
  budget?: MarkdownBudget;
  /** Where links without a host lead; they are left as typed unless given. */
  links?: RelativeLinks;
}

/** A text in Markdown, as safe HTML; what a person or a machine wrote can stand in it. */
export function Markdown({ text, budget = new MarkdownBudget(), links }: MarkdownProps): VNode {
  const html = cachedMarkdownHtml(text, { links, budget });
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
