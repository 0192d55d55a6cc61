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
export class BudgetExceeded extends Error {}
