import { UnavailableError } from '../../core/errors.js';
import { GitProcessError } from '../../git/git-process.js';

/**
 * Returns the answer of git, or `untold`, and logs it, when git fails or takes too long: pushes are
 * recorded in any case.
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
