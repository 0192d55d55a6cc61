import { UnavailableError } from '../../core/errors.js';
import { GitProcessError } from '../../git/git-process.js';

/**
 * What git answers, or `untold` when it cannot tell or takes too long, which is reported: what
 * people pushed is put on record in any case.
 */
export async function orUntold<T, U>(
  answer: Promise<T>,
  untold: U,
  report: (problem: unknown) => void,
): Promise<T | U> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GitProcessError) && !(error instanceof UnavailableError)) throw error;
    report(error);
    return untold;
  }
}
