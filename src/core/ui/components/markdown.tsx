import type { VNode } from 'preact';
import { hasCodeBlocks, highlightBlocks } from '../highlighting/highlight-blocks.js';
import { MarkdownBudget } from '../markdown/markdown-budget.js';
import { cachedMarkdownHtml } from '../markdown/markdown-cache.js';
import type { RelativeLinks } from '../markdown/markdown-links.js';
import { PageServices } from '../page-services.js';
import { Awaited } from './awaited.js';

interface MarkdownProps {
  text: string;
  /** Rendering budget, shared by the texts of a list. */
  budget?: MarkdownBudget;
  /** Where links without a host lead; they are left as typed unless given. */
  links?: RelativeLinks;
}

/** A text in Markdown, as safe HTML; what a person or a machine wrote can stand in it. */
export function Markdown({ text, budget = new MarkdownBudget(), links }: MarkdownProps): VNode {
  return <MarkdownHtml html={cachedMarkdownHtml(text, { links, budget })} />;
}

/** Rendered Markdown with its code highlighted. */
export function MarkdownHtml({ html }: { html: string }): VNode {
  if (!hasCodeBlocks(html)) return <Block html={html} />;
  return (
    <PageServices.Consumer>
      {(services) =>
        services === null ? (
          <Block html={html} />
        ) : (
          <Awaited promise={highlightBlocks(html, services.highlighter)}>
            {(highlighted) => <Block html={highlighted} />}
          </Awaited>
        )
      }
    </PageServices.Consumer>
  );
}

function Block({ html }: { html: string }): VNode {
  return <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />;
}
