import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Kind of a repository; project, wiki and design repositories share the project's ID. */
export type RepositoryKind = 'project' | 'wiki' | 'design' | 'snippet' | 'group-wiki';

/** Owner of repositories, which move together. */
export type ContainerKind = 'project' | 'snippet' | 'group';

/** The repositories of one container, in the order a move takes them; not all need to exist. */
export const containerRepositoryKinds: Record<ContainerKind, readonly RepositoryKind[]> = {
  project: ['project', 'wiki', 'design'],
  snippet: ['snippet'],
  group: ['group-wiki'],
};

const LAYOUT: Record<RepositoryKind, { directory: string; suffix: string }> = {
  project: { directory: '@hashed', suffix: '.git' },
  wiki: { directory: '@hashed', suffix: '.wiki.git' },
  design: { directory: '@hashed', suffix: '.design.git' },
  snippet: { directory: '@snippets', suffix: '.git' },
  'group-wiki': { directory: '@groups', suffix: '.wiki.git' },
};

/**
 * Where a repository lies below the root of whichever storage holds it: derived from the id alone,
 * so that renames and transfers never touch the disk and no name of a request reaches a path.
 */
export function relativeRepositoryPath(kind: RepositoryKind, containerId: number): string {
  if (!Number.isSafeInteger(containerId) || containerId < 1) {
    throw new RangeError(`Not an id of a repository's container: ${containerId}`);
  }
  const hash = createHash('sha256').update(String(containerId)).digest('hex');
  const { directory, suffix } = LAYOUT[kind];
  return `${directory}/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}${suffix}`;
}

const DEPTH_BELOW_DIRECTORY = 3;

/** Returns the paths of all repositories below the root of a storage. */
export async function repositoriesBelow(root: string): Promise<string[]> {
  const directories = [...new Set(Object.values(LAYOUT).map(({ directory }) => directory))];
  let paths = directories.map((directory) => join(root, directory));
  for (let depth = 0; depth < DEPTH_BELOW_DIRECTORY; depth += 1) {
    const entries = (await Promise.all(paths.map(entriesOf))).flat();
    paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  }
  return paths.filter((path) => path.endsWith('.git'));
}

/** Returns the entries of a directory; none when it is gone, or a file. */
export async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Name of a repository in leases and locks: `project-1`, `wiki-1`, `snippet-5`, `group-9-wiki`. */
export function repositoryKey(kind: RepositoryKind, containerId: number): string {
  return kind === 'group-wiki' ? `group-${containerId}-wiki` : `${kind}-${containerId}`;
}

/** The container that a repository of this kind belongs to. */
export function containerKindOf(kind: RepositoryKind): ContainerKind {
  if (kind === 'snippet') return 'snippet';
  return kind === 'group-wiki' ? 'group' : 'project';
}
