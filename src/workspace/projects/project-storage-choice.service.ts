import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { AuditActor } from '../../core/audit/audit.service.js';
import { ValidationFailedError } from '../../core/errors.js';
import { StorageRegistry } from '../../git/storage-registry.js';
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
