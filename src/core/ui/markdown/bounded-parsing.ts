import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it';
import { BudgetExceeded, type MarkdownBudget } from './markdown-budget.js';

/** A line costs far less than a character with a meaning. */
const LINE = 0.25;
/** A list takes two levels. The parser's own limit would silently leave out what is deeper. */
const MAX_NESTING = 40;

/** State that a parser carries through a text. */
export interface BoundedEnvironment {
  budget: MarkdownBudget;
  /** Source from the first block on that is not rendered; '' when everything is. */
  rest: string;
  /** Beginning of the block of the root that is being read, among tokens and lines. */
  reading: Beginning;
  /** Tokens that are paid for. */
  paid: number;
}

interface Beginning {
  tokens: number;
  line: number;
}

/**
 * Stops a parser at the first block of the root for which the budget does not suffice, or that is
 * nested too deeply; the blocks before it are complete.
 */
export function boundParsing(markdown: MarkdownIt): void {
  markdown.block.ruler.before('table', 'budget', spendOnLine, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
  markdown.inline.ruler.before('text', 'budget', ({ env }) => {
    environment(env).budget.spendOnInlines(1);
    return false;
  });
  markdown.core.ruler.at('block', parseBlocks);
  markdown.core.ruler.at('inline', parseInlines);
}

/** Matches nothing: the parser tries it on every line, at every level. */
function spendOnLine(
  { env, level, tokens }: StateBlock,
  ...[line, , isLookingAhead]: [line: number, endLine: number, silent: boolean]
): boolean {
  const bounded = environment(env);
  if (!isLookingAhead && level === 0) bounded.reading = { tokens: tokens.length, line };
  if (!isLookingAhead && level >= MAX_NESTING) throw new BudgetExceeded();
  bounded.budget.spendOnBlocks(LINE + tokens.length - bounded.paid);
  bounded.paid = tokens.length;
  return false;
}

function parseBlocks(state: StateCore): void {
  const isComplete = runBounded(() => {
    state.md.block.parse(state.src, state.md, state.env, state.tokens);
  });
  if (!isComplete) cut(state, environment(state.env).reading);
}

function parseInlines(state: StateCore): void {
  let block = 0;
  for (const [at, token] of state.tokens.entries()) {
    if (token.level === 0 && token.nesting >= 0) block = at;
    const isComplete = token.type !== 'inline' || runBounded(() => parseInline(state, token));
    if (isComplete) continue;
    cut(state, { tokens: block, line: state.tokens[block]?.map?.[0] ?? 0 });
    return;
  }
}

function parseInline({ md, env }: StateCore, token: Token): void {
  environment(env).budget.spendOnInlines(1);
  token.children = [];
  md.inline.parse(token.content, md, env, token.children);
}

/** Answers whether the budget sufficed. */
function runBounded(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof BudgetExceeded) return false;
    throw error;
  }
}

function cut(state: StateCore, { tokens, line }: Beginning): void {
  environment(state.env).rest = state.src.split('\n').slice(line).join('\n');
  state.tokens.splice(tokens);
}

function environment(env: unknown): BoundedEnvironment {
  return env as BoundedEnvironment;
}
