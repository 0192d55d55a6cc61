import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { AuditDelivery, AuditEvent } from './audit-event.entity.js';

/**
 * Actor of an audit event: the user, the administrator behind them under sudo, and the IP address;
 * all null for the system. The AuthContext of a request is one. Impersonation tokens are recorded
 * by ID: the audit event of their creation names the administrator.
 */
export interface AuditActor {
  viewer: { id: number } | null;
  impersonator: { id: number } | null;
  ip?: string | null;
  credential?: { kind: string; tokenId: number } | null;
  /** Author without a user, such as the operating system's user who runs a command. */
  name?: string;
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

/** Actor of changes made by the system itself. */
export const SYSTEM_ACTOR: AuditActor = { viewer: null, impersonator: null };

const INSTANCE: AuditedEntity = { type: 'Instance', id: null };

/** Entries of one statement; PostgreSQL takes 65,535 parameters in one. */
const CHUNK = 1000;

/** Writes the audit log, in the transaction of the change itself. */
@Injectable()
export class AuditLog {
  private readonly isStreamed: boolean;

  constructor(@Inject(CONFIG) { auditStream }: Pick<Config, 'auditStream'>) {
    this.isStreamed = auditStream !== undefined;
  }

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
      const { identifiers } = await tx.insert(
        AuditEvent,
        chunk.map((entry) => rowOf(actor, entry)),
      );
      if (!this.isStreamed) continue;
      const deliveries = identifiers.map(({ id }) => ({ auditEventId: id as number }));
      await tx.insert(AuditDelivery, deliveries);
    }
  }
}

function rowOf(actor: AuditActor, entry: AuditEntry): Partial<AuditEvent> {
  const entity = entry.entity ?? entityOf(entry);
  const isAboutTarget = entity.type === entry.targetType && entity.id === entry.targetId;
  return {
    authorId: actor.viewer?.id ?? null,
    authorName: actor.name ?? null,
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

/** A value before and after a change. */
export interface AuditedChange {
  from: unknown;
  to: unknown;
}

/** Values by name; null stands for none. */
type Values<T> = { readonly [Name in keyof T]?: T[Name] | null };

/** Longer texts are truncated: the audit log records that a description changed, without a copy. */
const MAX_TEXT = 255;

/**
 * Returns the differences by wire name (snake case), for the properties of `after` that are set.
 * The audit log stores values as they are, long texts truncated: leave secrets out.
 */
export function changesBetween<T extends object>(
  before: Values<T>,
  after: Values<T>,
): Record<string, AuditedChange> {
  const changes: Record<string, AuditedChange> = {};
  for (const name of Object.keys(after) as (keyof T & string)[]) {
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    if (after[name] === undefined || JSON.stringify(from) === JSON.stringify(to)) continue;
    changes[wireName(name)] = { from: shortened(from), to: shortened(to) };
  }
  return changes;
}

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function shortened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT)}…`;
}
