import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditEvent } from './audit-event.entity.js';

/**
 * Actor of an audit event: the user, the administrator behind them under sudo, and the IP address;
 * all null for the command line. The AuthContext of a request is one. Impersonation tokens are
 * recorded by ID: the audit event of their creation names the administrator.
 */
export interface AuditActor {
  viewer: { id: number } | null;
  impersonator: { id: number } | null;
  ip?: string | null;
  credential?: { kind: string; tokenId: number } | null;
}

export const AUDITED_ENTITIES = ['User', 'Group', 'Project', 'Instance'] as const;
export type AuditedEntityType = (typeof AUDITED_ENTITIES)[number];

/** Whose trail an entry belongs to; without id the instance's. */
export interface AuditedEntity {
  type: AuditedEntityType;
  id: number | null;
}

export interface AuditEntry {
  /** `<noun>_<verb>` in the past tense. */
  action: string;
  targetType: string;
  targetId: number | null;
  /** Name of a target that has no row; otherwise the target's own name is recorded. */
  targetName?: string;
  /** Left out when the target itself is a user, group or project; else the instance's. */
  entity?: AuditedEntity;
  /** Values before and after by `changesBetween`, plain values for other details; never secrets. */
  details?: Record<string, unknown>;
}

/** Actor of changes made by the command line or by the system itself. */
export const SYSTEM_ACTOR: AuditActor = { viewer: null, impersonator: null };

const INSTANCE: AuditedEntity = { type: 'Instance', id: null };

/** Entries of one statement; PostgreSQL takes 65,535 parameters in one. */
const CHUNK = 1000;

/** Writes the audit log, in the transaction of the change itself. */
@Injectable()
export class AuditLog {
  record(tx: EntityManager, actor: AuditActor, entry: AuditEntry): Promise<void> {
    return this.recordAll(tx, actor, [entry]);
  }

  /** Writes an entry whose details are what changed; nothing when they are empty. */
  async recordChange(tx: EntityManager, actor: AuditActor, entry: AuditEntry): Promise<void> {
    if (Object.keys(entry.details ?? {}).length > 0) await this.record(tx, actor, entry);
  }

  /** Records the same change of several targets, a thousand per statement. */
  async recordAll(
    tx: EntityManager,
    actor: AuditActor,
    entries: readonly AuditEntry[],
  ): Promise<void> {
    for (let start = 0; start < entries.length; start += CHUNK) {
      const chunk = entries.slice(start, start + CHUNK);
      await tx.insert(
        AuditEvent,
        chunk.map((entry) => rowOf(actor, entry)),
      );
    }
  }
}

function rowOf(actor: AuditActor, entry: AuditEntry): Partial<AuditEvent> {
  const entity = entry.entity ?? entityOf(entry);
  const isAboutTarget = entity.type === entry.targetType && entity.id === entry.targetId;
  return {
    authorId: actor.viewer?.id ?? null,
    impersonatorId: actor.impersonator?.id ?? null,
    ipAddress: actor.ip ?? null,
    action: entry.action,
    targetType: entry.targetType,
    targetId: entry.targetId,
    targetName: entry.targetName ?? null,
    entityType: entity.type,
    entityId: entity.id,
    entityPath: isAboutTarget ? (entry.targetName ?? null) : null,
    details: { ...entry.details, ...impersonationOf(actor) },
  };
}

function impersonationOf({ credential }: AuditActor): Record<string, unknown> {
  return credential?.kind === 'impersonation' ? { impersonation_token_id: credential.tokenId } : {};
}

function entityOf({ targetType, targetId }: AuditEntry): AuditedEntity {
  if (targetType !== 'User' && targetType !== 'Group' && targetType !== 'Project') return INSTANCE;
  return { type: targetType, id: targetId };
}
