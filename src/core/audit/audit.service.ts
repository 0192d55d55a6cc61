import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditEvent } from './audit-event.entity.js';

/** Who did it, and the administrator behind it under sudo; both null for the command line. */
export interface AuditActor {
  viewer: { id: number } | null;
  impersonator: { id: number } | null;
}

interface AuditEntry {
  action: string;
  targetType: string;
  targetId: number | null;
  details?: Record<string, unknown>;
}

/** Actor of changes made by the command line or by the system itself. */
export const SYSTEM_ACTOR: AuditActor = { viewer: null, impersonator: null };

/** Writes the audit trail, in the transaction of the change itself. */
@Injectable()
export class AuditTrail {
  async record(tx: EntityManager, actor: AuditActor, entry: AuditEntry): Promise<void> {
    await tx.insert(AuditEvent, {
      authorId: actor.viewer?.id ?? null,
      impersonatorId: actor.impersonator?.id ?? null,
      action: entry.action,
      targetType: entry.targetType,
      targetId: entry.targetId,
      details: { ...entry.details },
    });
  }
}
