import type { AuditedEntityType } from '../../core/audit/audit.service.js';
import type { AuditEventRow } from './audit-events.repository.js';

/** Value in the audit log; deeper nesting is JSON text. */
export type AuditValueResponse = string | number | boolean | null | (string | number)[];

/** One changed value. */
export interface AuditChangeResponse {
  /** Previous value; null if there was none. */
  from: AuditValueResponse;
  /** New value; null when it was removed. */
  to: AuditValueResponse;
}

/**
 * Details of an audit event. Names are those at the time of the event and are kept after a
 * deletion.
 */
export interface AuditDetailsResponse {
  /** null for the system; of the command line, the system user who ran the command. */
  author_name: string | null;
  /** Administrator who acted as the author (sudo); else null. */
  impersonator_id: number | null;
  impersonator_name: string | null;
  target_id: number | null;
  /** @example "User" */
  target_type: string;
  /** Username, full path, title or name of the target. */
  target_details: string | null;
  /** IP address of the client; null for the system and the command line. */
  ip_address: string | null;
  /** Username or full path of the audited entity; null for the instance. */
  entity_path: string | null;
  /** Name of the changed value, if exactly one changed. */
  change?: string;
  /** Its value before. */
  from?: AuditValueResponse;
  /** Its value after. */
  to?: AuditValueResponse;
  /** All changed values by name. */
  changes: Record<string, AuditChangeResponse>;
  /** Additional details of the event. */
  facts: Record<string, AuditValueResponse>;
}

/** Audit event. */
export interface AuditEventResponse {
  id: number;
  /** null for the system and the command line. */
  author_id: number | null;
  /** null for the instance. */
  entity_id: number | null;
  entity_type: AuditedEntityType;
  /** Name of the event. @example "member_created" */
  event_name: string;
  details: AuditDetailsResponse;
  created_at: string;
}

/** Returns the row for v4 clients, with its details sorted into changes and facts. */
export function presentAuditEvent(row: AuditEventRow): AuditEventResponse {
  const { changes, facts } = sorted(row.details);
  return {
    id: row.id,
    author_id: row.authorId,
    entity_id: row.entityId,
    entity_type: row.entityType,
    event_name: row.action,
    details: {
      author_name: row.authorName,
      impersonator_id: row.impersonatorId,
      impersonator_name: row.impersonatorName,
      target_id: row.targetId,
      target_type: row.targetType,
      target_details: row.targetName,
      ip_address: row.ipAddress,
      entity_path: row.entityPath,
      ...onlyChange(changes),
      changes,
      facts,
    },
    created_at: row.createdAt.toISOString(),
  };
}

function sorted(details: Record<string, unknown>): Pick<AuditDetailsResponse, 'changes' | 'facts'> {
  const changes: Record<string, AuditChangeResponse> = {};
  const facts: Record<string, AuditValueResponse> = {};
  for (const [name, value] of Object.entries(details)) {
    if (isChange(value)) changes[name] = { from: plain(value.from), to: plain(value.to) };
    else facts[name] = plain(value);
  }
  return { changes, facts };
}

function onlyChange(changes: Record<string, AuditChangeResponse>): Partial<AuditDetailsResponse> {
  const [[name, change] = [], ...others] = Object.entries(changes);
  return name === undefined || others.length > 0 ? {} : { change: name, ...change };
}

function isChange(value: unknown): value is { from: unknown; to: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).length === 2 && 'from' in value && 'to' in value;
}

function plain(value: unknown): AuditValueResponse {
  if (isScalar(value)) return value;
  if (Array.isArray(value) && value.every(isListed)) return value;
  return JSON.stringify(value) ?? null;
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || isListed(value) || typeof value === 'boolean';
}

function isListed(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
