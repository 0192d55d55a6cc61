import type { AuditedEntityType } from '../core/audit/audit.service.js';

/** One row of the trail as it is read. */
export interface AuditEventRow {
  id: number;
  authorId: number | null;
  authorName: string | null;
  impersonatorId: number | null;
  impersonatorName: string | null;
  action: string;
  targetType: string;
  targetId: number | null;
  targetName: string | null;
  entityType: AuditedEntityType;
  entityId: number | null;
  entityPath: string | null;
  ipAddress: string | null;
  details: Record<string, unknown>;
  createdAt: Date;
}

export const AUDIT_EVENT_COLUMNS = `
  e.id, e.author_id AS "authorId", e.author_name AS "authorName",
  e.impersonator_id AS "impersonatorId", e.impersonator_name AS "impersonatorName",
  e.action, e.target_type AS "targetType", e.target_id AS "targetId",
  e.target_name AS "targetName", e.entity_type AS "entityType", e.entity_id AS "entityId",
  e.entity_path AS "entityPath", host(e.ip_address) AS "ipAddress", e.details,
  e.created_at AS "createdAt"`;
