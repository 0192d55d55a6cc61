import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog, type AuditEntry } from '../../core/audit/audit.service.js';
import { NotFoundError, ValidationFailedError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { ClientKey } from './client-keys.repository.js';
import { newPublicKey } from './dsn.js';
import { ClientKeyCache } from './client-key-cache.service.js';

/** Keys that a project can have. */
export const MAX_KEYS = 50;

/** A key of a project, and what its change is tied to. */
interface ChosenKey {
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
    private readonly audit: AuditLog,
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
      return this.insert(tx, projectId, auth);
    });
  }

  /** Deletes a key and returns it. Throws 404 for a key of another project, 412, and as `create`. */
  delete({ projectId, id, preconditions }: ChosenKey, auth: AuthContext): Promise<ClientKey> {
    return this.change(projectId, async (tx) => {
      const key = await tx.findOneBy(ClientKey, { id, projectId });
      if (key === null) throw new NotFoundError();
      preconditions?.check(key.createdAt);
      await tx.delete(ClientKey, { id: key.id });
      await this.audit.record(tx, auth, entryOf(key, 'deleted'));
      return key;
    });
  }

  /**
   * Creates a key if the project has no active one, with its audit event. The caller holds the lock
   * of the project, and updates the cache afterwards.
   */
  async ensureActive(tx: EntityManager, projectId: number, auth: AuthContext): Promise<void> {
    const hasActive = await tx.existsBy(ClientKey, { projectId, active: true });
    if (!hasActive) await this.insert(tx, projectId, auth);
  }

  private async insert(
    tx: EntityManager,
    projectId: number,
    auth: AuthContext,
  ): Promise<ClientKey> {
    const inserted = await tx.insert(ClientKey, { projectId, publicKey: newPublicKey() });
    const { id } = inserted.identifiers[0] as { id: number };
    const key = await tx.findOneByOrFail(ClientKey, { id });
    await this.audit.record(tx, auth, entryOf(key, 'created'));
    return key;
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

/** The key is no secret: web pages carry it. */
function entryOf({ id, projectId, publicKey }: ClientKey, verb: 'created' | 'deleted'): AuditEntry {
  return {
    action: `error_tracking_client_key_${verb}`,
    targetType: 'ClientKey',
    targetId: id,
    targetName: publicKey,
    entity: { type: 'Project', id: projectId },
  };
}
