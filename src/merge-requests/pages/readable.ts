import type { Logger } from '@nestjs/common';
import { ApiError } from '../../core/errors.js';
import { GitProcessError } from '../../git/git-process.js';

/**
 * Returns the content of a repository, or null if it is unreadable: the rest of the page does not
 * depend on it.
 */
export async function ifReadable<T>(reading: Promise<T>, logger: Logger): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof GitProcessError) && !(error instanceof ApiError)) throw error;
    logger.warn(`A repository could not be read: ${error.message}`);
    return null;
  }
}
