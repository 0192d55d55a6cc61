import { referenceNames } from '../../../git/reading/reference-names.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { BRANCH_PREFIX, TAG_PREFIX } from '../../../git/reference-name.js';

/** Names to choose from; those of long lists are found on their own pages. */
export interface RefChoices {
  branches: string[];
  tags: string[];
  /** Total number of branches. */
  branchCount: number;
  tagCount: number;
}

const MAX_NAMES = 100;

/** Reads the names that the switcher offers. */
export async function refChoices(repository: OpenRepository): Promise<RefChoices> {
  const branches = await referenceNames(repository, BRANCH_PREFIX, {});
  const tags = await referenceNames(repository, TAG_PREFIX, { sort: 'name_desc' });
  return {
    branches: branches.slice(0, MAX_NAMES),
    tags: tags.slice(0, MAX_NAMES),
    branchCount: branches.length,
    tagCount: tags.length,
  };
}
