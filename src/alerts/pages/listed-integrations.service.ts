import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import type { IntegrationType } from '../alert-integration.entity.js';

/** An integration as everybody may know it who works with alerts: without key and address. */
export interface ListedIntegration {
  id: number;
  type: IntegrationType;
  name: string;
  active: boolean;
  apiUrl: string | null;
  /** When something came last, and the status of the answer; null when nothing ever did. */
  lastDelivery: { at: string; status: number } | null;
}

const SQL = `SELECT i.id, i.type, i.name, i.active, i.api_url AS "apiUrl",
    CASE WHEN d.id IS NULL THEN NULL
      ELSE json_build_object('at', d.created_at, 'status', d.status) END AS "lastDelivery"
  FROM alert_integrations i LEFT JOIN LATERAL (
    SELECT id, created_at, status FROM alert_deliveries
    WHERE integration_id = i.id ORDER BY id DESC LIMIT 1) d ON true
  WHERE i.project_id = $1 ORDER BY i.id`;

/** Reads the integrations of a project for pages. */
@Injectable()
export class ListedIntegrations {
  constructor(private readonly sql: Sql) {}

  /** All of them, oldest first; their number is bounded. */
  of(projectId: number): Promise<ListedIntegration[]> {
    return this.sql.rows<ListedIntegration>(SQL, [projectId]);
  }
}
