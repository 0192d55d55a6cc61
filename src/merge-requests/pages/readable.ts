import type { Logger } from '@nestjs/common';
import { ApiError } from '../../core/errors.js';
import { GitProcessError } from '../../git/git-process.js';

/**
 * What a repository holds, or null when it cannot be read: what else is known of a merge request
 * is shown all the same.
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
