import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { NotFoundError } from '../core/errors.js';
import { createBareRepository } from '../git/bare-repository.js';
import { type FileChange, writeFirstCommit } from '../git/git-commit.js';
import { RepositoryTrashService } from '../git/repository-trash.service.js';
import { onStorage } from '../git/storage-failure.js';
import { StorageRegistry, type RepositoryAddress } from '../git/storage-registry.js';
import { VISIBILITY } from '../members/visibility.js';
import type { CreateSnippetDto } from './dto/create-snippet.dto.js';
import { assertTitleLength } from './snippet-attributes.js';
import { initialFiles } from './snippet-files.js';
import { Snippet } from './snippet.entity.js';
import { SNIPPET_BRANCH } from './snippet.presenter.js';

export interface NewSnippet {
  dto: CreateSnippetDto;
  author: Viewer;
  /** null = a personal snippet. */
  projectId: number | null;
}

/** Makes snippets: first the repository, complete and in place, then the row that shows it. */
@Injectable()
export class SnippetCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly storages: StorageRegistry,
    private readonly trash: RepositoryTrashService,
    private readonly clock: Clock,
  ) {}

  /**
   * Answers the new snippet's id; the caller has checked that the author may create it. Throws
   * 400 for bad parameters, 404 when the project is deleted meanwhile. A process that dies midway
   * leaves a folder that nothing names: ids are never given twice.
   */
  async create(snippet: NewSnippet): Promise<number> {
    assertTitleLength(snippet.dto.title);
    const changes = initialFiles(snippet.dto);
    const address: RepositoryAddress = {
      storage: this.pickStorage(),
      kind: 'snippet',
      containerId: await this.nextId(),
    };
    const filePaths = await this.createRepository(address, changes, snippet.author);
    try {
      await this.dataSource.transaction((tx) => insertRow(tx, snippet, { address, filePaths }));
    } catch (error) {
      // Only a refusal proves that the row is not there; after anything else it may well be.
      const isRefused = error instanceof NotFoundError;
      if (isRefused) await this.trash.discard(address, `snippet-${address.containerId} refused`);
      throw error;
    }
    return address.containerId;
  }

  private pickStorage(): string {
    const storage = this.storages.pick();
    if (storage === null) throw new Error('No storage takes new repositories');
    return storage;
  }

  private async nextId(): Promise<number> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      `SELECT nextval(pg_get_serial_sequence('snippets', 'id')) AS id`,
    );
    return Number(rows[0]?.id);
  }

  private async createRepository(
    address: RepositoryAddress,
    changes: FileChange[],
    { name, email }: Viewer,
  ): Promise<string[]> {
    let filePaths: string[] = [];
    const author = { name, email, date: this.clock.now() };
    const repository = {
      storageRoot: this.storages.get(address.storage).root,
      path: this.storages.absolutePath(address),
      defaultBranch: SNIPPET_BRANCH,
      fill: async (temporary: string) => {
        const request = { branch: SNIPPET_BRANCH, message: 'Initial commit', author, changes };
        ({ paths: filePaths } = await writeFirstCommit(temporary, request));
      },
    };
    await onStorage(address.storage, () => createBareRepository(repository));
    return filePaths;
  }
}

async function insertRow(
  tx: EntityManager,
  { dto, author, projectId }: NewSnippet,
  { address, filePaths }: { address: RepositoryAddress; filePaths: string[] },
): Promise<void> {
  if (projectId !== null) await holdProject(tx, projectId);
  await tx.insert(Snippet, {
    id: address.containerId,
    projectId,
    authorId: author.id,
    title: dto.title,
    description: dto.description ?? null,
    visibility: VISIBILITY[dto.visibility ?? 'private'],
    filePaths,
    hasRepository: true,
    repositoryStorage: address.storage,
  });
}

/** Keeps a deletion of the project from starting before the snippet is seen by it. */
async function holdProject(tx: EntityManager, projectId: number): Promise<void> {
  const rows = await tx.query<unknown[]>(
    'SELECT 1 FROM projects WHERE id = $1 AND NOT pending_delete FOR SHARE',
    [projectId],
  );
  if (rows.length === 0) throw new NotFoundError('Project');
}
