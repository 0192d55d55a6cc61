import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { NotFoundError, ValidationFailedError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { ClientKey } from '../client-key.entity.js';
import { ClientKeyWrites } from './client-key-writes.service.js';
import { ClientKeyCache } from './client-key-cache.service.js';

/** Keys that a project can have. */
export const MAX_KEYS = 50;

/** A key of a project, and what its change is tied to. */
export interface ChosenKey {
  projectId: number;
  id: number;
  preconditions?: Preconditions;
}

/** Creates and deletes client keys of projects; callers check the permission. */
@Injectable()
export class ClientKeys {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsRepository,
    private readonly writes: ClientKeyWrites,
    private readonly sources: ClientKeyCache,
  ) {}

  /**
   * Throws 400 when the project has as many as it can have, 403 for an archived one, 404 for one
   * that is being deleted.
   */
  create({ id: projectId }: { id: number }, auth: AuthContext): Promise<ClientKey> {
    return this.change(projectId, async (tx) => {
      if ((await tx.countBy(ClientKey, { projectId })) >= MAX_KEYS) {
        throw new ValidationFailedError({ base: [`maximum of ${MAX_KEYS} client keys reached`] });
      }
      return this.writes.create(tx, projectId, auth);
    });
  }

  /** Removes a key and answers it. Throws 404 for one of another project, 412, and as `create`. */
  delete({ projectId, id, preconditions }: ChosenKey, auth: AuthContext): Promise<ClientKey> {
    return this.change(projectId, async (tx) => {
      const key = await tx.findOneBy(ClientKey, { id, projectId });
      if (key === null) throw new NotFoundError();
      preconditions?.check(key.createdAt);
      await this.writes.delete(tx, key, auth);
      return key;
    });
  }

  /** Updates this process's cache before the response. */
  private async change<T>(projectId: number, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.dataSource.transaction(async (tx) => {
      await this.projects.lockForChange(tx, projectId);
      return work(tx);
    });
    this.sources.forget();
    return result;
  }
}
