import createMarkdown, { type Env, type MarkdownIt, type StateCore, type Token } from 'markdown-it';
import { escapeHtml } from '../escape-html.js';
import { boundParsing, MarkdownBudget, type BoundedEnvironment } from './markdown-budget.js';
import {
  type AddressOf,
  isSafeLink,
  isSafeOrRelativeLink,
  type LinkEnvironment,
  rewriteLinks,
} from './markdown-links.js';
import { type MarkingEnvironment, markReferencesOf } from '../references/marked-html.js';

/** Headings of a text stand below the heading of the section that shows it. */
const FIRST_HEADING = 3;
const DEEPEST_HEADING = 6;
const TASK = /^\[([ xX])\](?=\s)/;

/** Precedes the part that is not rendered. */
const CUT =
  '<p class="markdown-notice">The rest is too complex to render and is shown as plain text.</p>\n';

/**
 * Returns the HTML of a text in Markdown (CommonMark with tables, strikethrough, autolinks and task
 * lists). No HTML of the text reaches the page: tags are shown as typed, links lead to http, https
 * and mailto only, and there are no IDs, styles or classes of the text's own. With `addressOf`
 * links without a host are resolved by it; without it they stay as typed. Source is shown
 * unrendered from the first block that exceeds `budget`.
 */
export function markdownHtml(
  text: string,
  addressOf?: AddressOf,
  budget = new MarkdownBudget(),
): string {
  return render(text, { ...environmentOf(budget), ...(addressOf && { addressOf }) });
}

/** State that the parts of a text share, in their order. */
export interface TextContext {
  /** Destinations of links, as the parser keeps them. */
  references: NonNullable<Env['references']>;
  /** Levels of headings: `h1`. */
  headings: Set<string>;
}

/** HTML of the beginning of a text, and the source from the first block beyond the budget. */
interface MarkdownPart {
  html: string;
  /** '' at the end of the text. */
  rest: string;
}

interface PartOptions {
  addressOf: AddressOf | undefined;
  budget: MarkdownBudget;
  context: TextContext;
}

/**
 * Renders as `markdownHtml` as much as the budget lasts for, with marks around references
 * (`PageReferences`).
 */
export function markedMarkdownPart(
  text: string,
  { addressOf, budget, context }: PartOptions,
): MarkdownPart {
  const env = { ...environmentOf(budget), ...context, marksReferences: true };
  return renderPart(text, { ...env, ...(addressOf && { addressOf }) });
}

/** Returns the source of what is not rendered as HTML, after a notice; '' for ''. */
export function plainRest(rest: string): string {
  return rest === '' ? '' : `${CUT}<pre tabindex="0">${escapeHtml(rest)}</pre>\n`;
}

type RenderingEnvironment = Env &
  BoundedEnvironment &
  LinkEnvironment &
  MarkingEnvironment &
  Pick<TextContext, 'headings'>;

function render(text: string, env: RenderingEnvironment): string {
  const { html, rest } = renderPart(text, env);
  return html + plainRest(rest);
}

function renderPart(text: string, env: RenderingEnvironment): MarkdownPart {
  const markdown = env.addressOf === undefined ? MARKDOWN : LINKED_MARKDOWN;
  const html = markdown.render(text, env);
  return { html, rest: env.rest };
}

/** Returns the source lines of the tasks, in rendered order. */
export function taskLines(text: string): number[] {
  const tokens = MARKDOWN.parse(text, environmentOf(new MarkdownBudget()));
  const tasks = tokens.filter(({ children }) => children?.[0]?.type === 'task');
  return tasks.map(({ map }) => map?.[0] ?? 0);
}

function environmentOf(budget: MarkdownBudget): RenderingEnvironment {
  const headings = new Set<string>();
  return { budget, rest: '', reading: { tokens: 0, line: 0 }, paid: 0, headings };
}

const MARKDOWN = makeMarkdown(isSafeLink);
const LINKED_MARKDOWN = makeMarkdown(isSafeOrRelativeLink);

function makeMarkdown(validateLink: (url: string) => boolean): MarkdownIt {
  const markdown = createMarkdown({ html: false, linkify: true });
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  markdown.validateLink = validateLink;
  const { rules } = markdown.renderer;
  rules['fence'] = codeBlock;
  rules['code_block'] = codeBlock;
  rules['table_open'] = () =>
    '<div class="markdown-table" role="group" aria-label="Table" tabindex="0">\n<table>\n';
  rules['table_close'] = () => '</table>\n</div>\n';
  rules['task'] = taskBox;
  boundParsing(markdown);
  markReferencesOf(markdown);
  markdown.core.ruler.push('links', rewriteLinks);
  markdown.core.ruler.push('blocks', rewriteBlocks);
  return markdown;
}

/** Languages that code blocks name: `js`, `c++`, `objective-c`. */
const LANGUAGE = /^[a-z\d+#._-]{1,30}/i;

/** Can be scrolled by keyboard; the class names the language, which `highlightBlocks` reads. */
function codeBlock(tokens: Token[], at: number): string {
  const { content = '', info = '' } = tokens[at] ?? {};
  const language = LANGUAGE.exec(info.trim())?.[0];
  const attributes = language === undefined ? '' : ` class="language-${language}"`;
  return `<pre tabindex="0"><code${attributes}>${escapeHtml(content)}</code></pre>\n`;
}

function taskBox(tokens: Token[], at: number): string {
  const isDone = tokens[at]?.info === 'done';
  const state = isDone ? 'aria-label="Done" checked' : 'aria-label="Not done"';
  return `<input type="checkbox" disabled ${state}>`;
}

/** Lowers headings, renders task items, and aligns by class: styles are blocked. */
function rewriteBlocks(state: StateCore): void {
  const { headings } = state.env as RenderingEnvironment;
  lowerHeadings(
    state.tokens.filter(({ type }) => type.startsWith('heading_')),
    headings,
  );
  for (const [at, token] of state.tokens.entries()) {
    if (token.type === 'th_open' || token.type === 'td_open') classInsteadOfStyle(token);
    if (token.type === 'inline') markTask(state, at);
  }
}

/** Levels follow each other without gaps, whichever of them the text uses. */
function lowerHeadings(headings: readonly Token[], known: Set<string>): void {
  for (const { tag } of headings) known.add(tag);
  const used = [...known].sort();
  for (const heading of headings) {
    heading.tag = `h${Math.min(FIRST_HEADING + used.indexOf(heading.tag), DEEPEST_HEADING)}`;
  }
}

function classInsteadOfStyle(cell: Token): void {
  const align = /text-align:(left|center|right)/.exec(String(cell.attrGet('style')))?.[1];
  cell.attrs = align === undefined ? null : [['class', `align-${align}`]];
}

/** `[ ] text` or `[x] text` at the beginning of a list item. */
function markTask(state: StateCore, at: number): void {
  const item = state.tokens[at - 2];
  const children = state.tokens[at]?.children;
  const first = children?.[0];
  if (item?.type !== 'list_item_open' || children == null || first?.type !== 'text') return;
  const mark = TASK.exec(first.content)?.[1];
  if (mark === undefined) return;
  const box = new state.Token('task', 'input', 0);
  box.info = mark === ' ' ? 'open' : 'done';
  first.content = first.content.slice('[ ]'.length);
  children.unshift(box);
  item.attrJoin('class', 'task');
}
