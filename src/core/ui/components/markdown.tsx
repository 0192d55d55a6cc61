import type { VNode } from 'preact';
import { unescapeHtml } from '../escape-html.js';
import type { CodeHighlighter } from '../highlighting/code-highlighter.service.js';
import { MarkdownBudget } from '../markdown/markdown-budget.js';
import {
  cachedMarkdownHtml,
  finishedMarkdown,
  isUnfinished,
  withPlainRest,
} from '../markdown/markdown-cache.js';
import type { RelativeLinks } from '../markdown/markdown-links.js';
import { hasReferences, markedText, textWithCode } from '../references/marked-html.js';
import { withoutReferences } from '../references/page-references.js';
import { Awaited, PageServices } from './page-services.js';

interface MarkdownProps {
  text: string;
  /** Rendering budget, shared by the texts of a list. */
  budget?: MarkdownBudget;
  /** Where links without a host lead; they are left as typed unless given. */
  links?: RelativeLinks;
  /** Full path of the project that references without one mean; that of the page unless given. */
  project?: string | undefined;
}

/** A text in Markdown, as safe HTML; what a person or a machine wrote can stand in it. */
export function Markdown({
  text,
  budget = new MarkdownBudget(),
  links,
  project,
}: MarkdownProps): VNode {
  return <MarkdownHtml html={cachedMarkdownHtml(text, { links, budget })} project={project} />;
}

interface RenderedProps {
  html: string;
  project?: string | undefined;
}

/** Rendered Markdown with its references linked and its code highlighted. */
export function MarkdownHtml({ html, project }: RenderedProps): VNode {
  const block = (finished: string): VNode => (
    <div class="markdown" dangerouslySetInnerHTML={{ __html: finished }} />
  );
  return <Finished html={html} project={project} element={block} />;
}

interface ReferencedTextProps {
  text: string;
  project?: string | undefined;
}

/** Plain text, such as a commit message, with its references and URLs as links. */
export function ReferencedText({ text, project }: ReferencedTextProps): VNode {
  const span = (finished: string): VNode => <span dangerouslySetInnerHTML={{ __html: finished }} />;
  return <Finished html={markedText(text)} project={project} element={span} />;
}

/** Plain text with code as code, for the inside of links. */
export function TextWithCode({ text }: { text: string }): VNode {
  return <span dangerouslySetInnerHTML={{ __html: textWithCode(text) }} />;
}

interface FinishedProps extends RenderedProps {
  element: (html: string) => VNode;
}

function Finished({ html, project, element }: FinishedProps): VNode {
  if (!isUnfinished(html) && !hasCodeBlocks(html) && !hasReferences(html)) return element(html);
  return (
    <PageServices.Consumer>
      {(services) => {
        if (services === null) return element(withoutReferences(withPlainRest(html)));
        const { highlighter, references } = services;
        const whole = isUnfinished(html) ? finishedMarkdown(html) : Promise.resolve(html);
        const finished = whole
          .then((marked) => references.link(marked, project))
          .then((linked) =>
            hasCodeBlocks(linked) ? highlightBlocks(linked, highlighter) : linked,
          );
        return <Awaited promise={finished}>{element}</Awaited>;
      }}
    </PageServices.Consumer>
  );
}

const BLOCK = /(?<start><code class="language-(?<language>[^"]+)">)(?<code>[^<]+)(?=<\/code>)/g;
const MAX_BLOCKS = 50;

/** Returns whether rendered Markdown has code blocks that name their language. */
function hasCodeBlocks(html: string): boolean {
  return html.includes('<code class="language-');
}

/** Highlights the code blocks of rendered Markdown that name their language. */
async function highlightBlocks(html: string, highlighter: CodeHighlighter): Promise<string> {
  const blocks = [...html.matchAll(BLOCK)].slice(0, MAX_BLOCKS);
  const highlighted = await Promise.all(
    blocks.map(async ({ groups: { start = '', language = '', code = '' } = {} }) => {
      const lines = await highlighter.highlight([unescapeHtml(code)], language);
      return start + (lines?.[0]?.join('\n') ?? code);
    }),
  );
  let end = 0;
  const parts = blocks.map(({ index, 0: { length } }, at) => {
    const between = html.slice(end, index);
    end = index + length;
    return between + (highlighted[at] ?? '');
  });
  return parts.join('') + html.slice(end);
}
