import { createBareRepository } from '../../src/git/git-repository.js';
import { writeFirstCommit } from '../../src/git/git-commit.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import type { TestApp } from './app.js';
import { unique } from './factories.js';

interface SnippetOptions extends Partial<Snippet> {
  authorId: number;
  /** Files of its repository; null makes a snippet that has none. */
  files?: Record<string, string> | null;
}

export interface MadeSnippet {
  id: number;
  title: string;
  storage: string;
  /** Where its repository is as long as it is not moved. */
  repositoryPath: string;
}

/** A private personal snippet with one file unless the options say otherwise. */
export async function makeSnippet(
  app: Pick<TestApp, 'app' | 'dataSource'>,
  { files = { 'notes.txt': 'Notes\n' }, ...attributes }: SnippetOptions,
): Promise<MadeSnippet> {
  const { repositoryStorage: storage = 'default', title = unique('Snippet ') } = attributes;
  const inserted = await app.dataSource.manager.insert(Snippet, {
    ...attributes,
    title,
    repositoryStorage: storage,
    filePaths: Object.keys(files ?? {}).sort(),
    hasRepository: files !== null,
  });
  const id = (inserted.identifiers[0] as { id: number }).id;
  const address = { storage, kind: 'snippet', containerId: id } as const;
  const repositoryPath = app.app.get(StorageRegistry).absolutePath(address);
  if (files !== null) await makeRepository(app, address, files);
  return { id, title, storage, repositoryPath };
}

async function makeRepository(
  { app }: Pick<TestApp, 'app'>,
  address: { storage: string; kind: 'snippet'; containerId: number },
  files: Record<string, string>,
): Promise<void> {
  const storages = app.get(StorageRegistry);
  await createBareRepository({
    storageRoot: storages.get(address.storage).root,
    path: storages.absolutePath(address),
    defaultBranch: 'main',
    fill: async (temporary) => {
      await writeFirstCommit(temporary, {
        branch: 'main',
        message: 'Initial commit',
        author: { name: 'Test Author', email: 'author@example.com', date: new Date() },
        changes: Object.entries(files).map(([path, content]) => ({ path, content })),
      });
    },
  });
}
