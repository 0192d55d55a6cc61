import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AuditActor } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { ValidationFailedError } from '../../core/errors.js';
import { createBareRepository } from '../../git/git-repository.js';
import { writeFirstCommit } from '../../git/git-commit.js';
import { RepositoryTrashService } from '../../git/repository-trash.service.js';
import { onStorage, StorageRegistry, type RepositoryAddress } from '../../git/storage-registry.js';
import type { NewProject } from './project-attributes.js';
import type { ProjectRow } from './projects.repository.js';

/**
 * Schedules a move of a project's repositories. Moves are built on projects, so they provide this
 * globally and projects look it up when it is needed.
 */
export abstract class RepositoryMover {
  /** Throws 400 with the reasons when the move cannot be scheduled. */
  abstract schedule(projectId: number, destination: string, actor: AuditActor): Promise<void>;
}

/** Where the repositories of projects go. */
@Injectable()
export class ProjectStorageChoice {
  constructor(
    private readonly storages: StorageRegistry,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * Returns the storage that an administrator chose, else one by weight. Throws 400 for an unknown
   * storage.
   */
  choose({ dto, viewer }: Pick<NewProject, 'dto' | 'viewer'>): string {
    const wanted = viewer.admin ? dto.repository_storage : null;
    if (!wanted) return this.draw();
    this.assertConfigured(wanted);
    return wanted;
  }

  /** Throws 400 where scheduling a move to this storage would be refused in any case. */
  assertMovable({ repositoryReadOnly }: ProjectRow, storage: string): void {
    this.assertConfigured(storage);
    if (repositoryReadOnly) throw new ValidationFailedError({ project: ['is read-only'] });
  }

  /** Schedules the move to another storage; throws 400 with the reasons when that cannot be. */
  move(projectId: number, storage: string, actor: AuditActor): Promise<void> {
    const mover = this.moduleRef.get<RepositoryMover>(RepositoryMover, { strict: false });
    return mover.schedule(projectId, storage, actor);
  }

  private assertConfigured(storage: string): void {
    if (this.storages.has(storage)) return;
    throw new ValidationFailedError({ repository_storage: ['is not included in the list'] });
  }

  private draw(): string {
    const storage = this.storages.pick();
    if (storage === null) throw new Error('No storage takes new repositories');
    return storage;
  }
}

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
