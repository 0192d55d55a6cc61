import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it';

/** Budget of block parsing, which visits each line once per nesting level. */
const MAX_BLOCK_STEPS = 24_000;
const MAX_INLINE_STEPS = 20_000;

/**
 * Limits the rendering work of a page to about 50 milliseconds, enough for 100,000 characters of
 * prose. Counts parser steps instead of time, so that the result does not depend on server load.
 */
export class MarkdownBudget {
  private blockSteps = MAX_BLOCK_STEPS;
  private inlineSteps = MAX_INLINE_STEPS;

  get isFresh(): boolean {
    return this.blockSteps === MAX_BLOCK_STEPS && this.inlineSteps === MAX_INLINE_STEPS;
  }

  /** Throws BudgetExceeded. */
  spendOnBlocks(steps: number): void {
    this.blockSteps -= steps;
    if (this.blockSteps < 0) throw new BudgetExceeded();
  }

  /** Throws BudgetExceeded. */
  spendOnInlines(steps: number): void {
    this.inlineSteps -= steps;
    if (this.inlineSteps < 0) throw new BudgetExceeded();
  }
}

/** Ends the parsing of a text; the blocks parsed so far are kept. */
class BudgetExceeded extends Error {}

/** Cost of a line, which is far below that of an inline token. */
const LINE = 0.25;
/**
 * Maximum nesting level; a list takes two. The parser's own limit would silently drop deeper
 * blocks.
 */
const MAX_NESTING = 40;

/** State of parsing one text. */
export interface BoundedEnvironment {
  budget: MarkdownBudget;
  /** Source from the first block that is not rendered; '' when all are. */
  rest: string;
  /** Start of the current top-level block, in tokens and lines. */
  reading: Beginning;
  /** Number of tokens already charged. */
  paid: number;
}

interface Beginning {
  tokens: number;
  line: number;
}

/**
 * Makes a parser stop at the first top-level block that exceeds the budget or is nested too deeply;
 * the blocks before it are complete.
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

/** Charges a line; matches nothing, so the parser calls it for every line at every level. */
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

/** Runs the work and returns whether it stayed within the budget. */
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
