import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditTrail, type AuditEntry } from '../../core/audit/audit.service.js';
import { ClientKey } from '../client-key.entity.js';
import { newPublicKey } from './dsn.js';

/**
 * Writes client keys, each change with its entry in the audit trail; the caller holds the lock of
 * the project.
 */
@Injectable()
export class ClientKeyWrites {
  constructor(private readonly audit: AuditTrail) {}

  /** Makes a key if the project has no active one. */
  async ensureActive(tx: EntityManager, projectId: number, auth: AuthContext): Promise<void> {
    const hasActive = await tx.existsBy(ClientKey, { projectId, active: true });
    if (!hasActive) await this.create(tx, projectId, auth);
  }

  /** Makes a key and answers it. */
  async create(tx: EntityManager, projectId: number, auth: AuthContext): Promise<ClientKey> {
    const inserted = await tx.insert(ClientKey, { projectId, publicKey: newPublicKey() });
    const { id } = inserted.identifiers[0] as { id: number };
    const key = await tx.findOneByOrFail(ClientKey, { id });
    await this.audit.record(tx, auth, entryOf(key, 'created'));
    return key;
  }

  /** Removes a key; it is refused from then on. */
  async delete(tx: EntityManager, key: ClientKey, auth: AuthContext): Promise<void> {
    await tx.delete(ClientKey, { id: key.id });
    await this.audit.record(tx, auth, entryOf(key, 'deleted'));
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
