import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { createBareRepository } from '../../git/bare-repository.js';
import { writeFirstCommit } from '../../git/git-commit.js';
import { RepositoryTrashService } from '../../git/repository-trash.service.js';
import { onStorage } from '../../git/storage-failure.js';
import { StorageRegistry, type RepositoryAddress } from '../../git/storage-registry.js';

export interface NewProjectRepository {
  storage: string;
  projectId: number;
  defaultBranch: string;
  /** Content of a first commit's README.md and its author; null leaves the repository empty. */
  readme: { text: string; author: { name: string; email: string } } | null;
}

/** Creates the code repository of a project before the project's row. */
@Injectable()
export class ProjectRepositories {
  constructor(
    private readonly storages: StorageRegistry,
    private readonly trash: RepositoryTrashService,
    private readonly clock: Clock,
  ) {}

  /**
   * A folder that is in the way belongs to no row, for ids are never given twice: a database that
   * was restored from an older state is the one case. It goes to the trash.
   */
  async create(repository: NewProjectRepository): Promise<void> {
    try {
      await this.build(repository);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await this.discard(repository, 'found without a row');
      await this.build(repository);
    }
  }

  /** Takes back a repository whose row was refused. */
  async discard({ storage, projectId }: NewProjectRepository, reason: string): Promise<void> {
    const address: RepositoryAddress = { storage, kind: 'project', containerId: projectId };
    await this.trash.discard(address, `project-${projectId} ${reason}`);
  }

  private async build(repository: NewProjectRepository): Promise<void> {
    const { storage, projectId, defaultBranch, readme } = repository;
    const { root } = this.storages.get(storage);
    const path = this.storages.absolutePath({ storage, kind: 'project', containerId: projectId });
    const fill = async (temporary: string): Promise<void> => {
      if (readme === null) return;
      await writeFirstCommit(temporary, {
        branch: defaultBranch,
        message: 'Initial commit',
        author: { ...readme.author, date: this.clock.now() },
        changes: [{ path: 'README.md', content: readme.text }],
      });
    };
    await onStorage(storage, () =>
      createBareRepository({ storageRoot: root, path, defaultBranch, fill }),
    );
  }
}
