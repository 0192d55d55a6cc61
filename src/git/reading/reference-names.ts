import { readStoredReferences } from '../reference-reader.js';
import { readGit } from './read-git.js';
import type { OpenRepository } from './repository-reader.service.js';

/** By name, by when what they name was made, or by the numbers in the name. */
export type ReferenceSort = keyof typeof SORT_KEYS;

/** Which branches or tags a list holds. */
export interface ReferenceSelection {
  /** Text in the name; `^x` at its beginning, `x$` at its end; any case. */
  search?: string;
  sort?: ReferenceSort;
  offset?: number;
  limit?: number;
}

const SORT_KEYS = {
  name: 'refname',
  name_desc: '-refname',
  updated_asc: 'creatordate',
  updated_desc: '-creatordate',
  version_asc: 'version:refname',
  version_desc: '-version:refname',
} as const;

/** Short names below a prefix, sorted; by name usually without a git process. */
export async function referenceNames(
  repository: OpenRepository,
  prefix: string,
  { search = '', sort = 'name' }: ReferenceSelection,
): Promise<string[]> {
  const names = await sortedNames(repository, prefix, sort);
  return search === '' ? names : names.filter(matcherOf(search));
}

async function sortedNames(
  repository: OpenRepository,
  prefix: string,
  sort: ReferenceSort,
): Promise<string[]> {
  const isByName = sort === 'name' || sort === 'name_desc';
  const stored = isByName ? await readStoredReferences(repository.path, [prefix]) : null;
  if (stored === null) {
    const args = ['for-each-ref', `--sort=${SORT_KEYS[sort]}`, '--format=%(refname)', prefix];
    return shortNames(await readGit(repository, args), prefix);
  }
  const names = stored.references.map(({ name }) => name.slice(prefix.length));
  return sort === 'name' ? names : names.reverse();
}

function shortNames(output: string, prefix: string): string[] {
  const lines = output.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.slice(prefix.length));
}

function matcherOf(search: string): (name: string) => boolean {
  const text = search.toLowerCase();
  const isStart = text.startsWith('^');
  const isEnd = text.endsWith('$');
  const part = text.slice(isStart ? 1 : 0, isEnd ? -1 : undefined);
  return (name) => {
    const lower = name.toLowerCase();
    if (isStart && isEnd) return lower === part;
    if (isStart) return lower.startsWith(part);
    return isEnd ? lower.endsWith(part) : lower.includes(part);
  };
}

/** Short names of the refs below a prefix whose history has the commit, by name. */
export async function referencesContaining(
  repository: OpenRepository,
  prefix: string,
  oid: string,
): Promise<string[]> {
  const args = ['for-each-ref', `--contains=${oid}`, '--format=%(refname)', prefix];
  return shortNames(await readGit(repository, args), prefix);
}

/** Returns the part of a list for a selection. */
export function pageOf<T>(items: readonly T[], { offset = 0, limit }: ReferenceSelection): T[] {
  return items.slice(offset, limit === undefined ? undefined : offset + limit);
}
