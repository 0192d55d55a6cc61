/** What lines cost before characters are read: a line is looked at once for each nesting level. */
const MAX_BLOCK_STEPS = 24_000;
const MAX_INLINE_STEPS = 20_000;

/**
 * How much work the texts of a page take together: at most about 50 milliseconds, enough for prose
 * of 100,000 characters. It counts steps of the parser instead of time, so that a text looks the
 * same on a busy server.
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

/** Ends the parsing of a text; what has been read stays. */
export class BudgetExceeded extends Error {}
