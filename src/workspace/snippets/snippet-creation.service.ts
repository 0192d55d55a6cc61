import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { NotFoundError } from '../../core/errors.js';
import { createBareRepository } from '../../git/git-repository.js';
import { type FileChange, writeFirstCommit } from '../../git/git-commit.js';
import { RepositoryTrashService } from '../../git/repository-trash.service.js';
import { onStorage, StorageRegistry, type RepositoryAddress } from '../../git/storage-registry.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { assertTitleLength, type CreateSnippetDto } from './snippet.dto.js';
import { initialFiles } from './snippet-files.js';
import { Snippet } from './snippet.entity.js';
import { SNIPPET_BRANCH } from './snippet.presenter.js';
import { SnippetsRepository } from './snippets.repository.js';

export interface NewSnippet {
  dto: CreateSnippetDto;
  author: Viewer;
  /** null = a personal snippet. */
  projectId: number | null;
}

/** Creates snippets: first the repository, complete and in place, then the row that shows it. */
@Injectable()
export class SnippetCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly storages: StorageRegistry,
    private readonly trash: RepositoryTrashService,
    private readonly clock: Clock,
    private readonly snippets: SnippetsRepository,
    private readonly projects: ProjectsRepository,
  ) {}

  /**
   * Returns the new snippet's id; the caller has checked that the author can create it. Throws 400
   * for bad parameters, 404 when the project is deleted meanwhile. A process that dies midway
   * leaves a folder that nothing names: ids are never given twice.
   */
  async create(snippet: NewSnippet): Promise<number> {
    assertTitleLength(snippet.dto.title);
    const changes = initialFiles(snippet.dto);
    const address: RepositoryAddress = {
      storage: this.pickStorage(),
      kind: 'snippet',
      containerId: await this.snippets.reserveId(),
    };
    const filePaths = await this.createRepository(address, changes, snippet.author);
    try {
      await this.insertRow(snippet, { address, filePaths });
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

  private insertRow(
    { dto, author, projectId }: NewSnippet,
    { address, filePaths }: { address: RepositoryAddress; filePaths: string[] },
  ): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      if (projectId !== null) await this.projects.hold(tx, projectId);
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
    });
  }
}
