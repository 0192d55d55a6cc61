import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../core/sql/timestamp-columns.js';
import { Project } from '../workspace/projects/project.entity.js';
import type { FieldMapping, JsonObject, ResolvedWhen } from './parsing/incoming-alert.js';

export const INTEGRATION_TYPES = ['http', 'prometheus', 'external_paging'] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/**
 * Alert integration of a project. External paging is the exception: it has neither key nor webhook,
 * and only links to the alerts elsewhere.
 */
@Entity('alert_integrations')
@Index('uq_alert_integrations_identifier', ['projectId', 'identifier'], { unique: true })
@Index('uq_alert_integrations_external_paging', ['projectId'], {
  unique: true,
  where: `"type" = 'external_paging'`,
})
@Check('ck_alert_integrations_type', `"type" IN ('http', 'prometheus', 'external_paging')`)
@Check(
  'ck_alert_integrations_webhook',
  `num_nulls("identifier", "encrypted_token") = CASE WHEN "type" = 'external_paging' THEN 2 ELSE 0 END`,
)
@Check('ck_alert_integrations_name', `char_length("name") BETWEEN 1 AND 255`)
export class AlertIntegration extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_alert_integrations',
  })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_alert_integrations_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'text', name: 'type' })
  type: IntegrationType;

  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'boolean', name: 'active' })
  active: boolean;

  /** Names the integration in its webhook's address; 16 lowercase hex. */
  @Column({ type: 'text', name: 'identifier', nullable: true })
  identifier: string | null;

  /** The encrypted key; 32 lowercase hex in clear. */
  @Column({ type: 'text', name: 'encrypted_token', nullable: true })
  encryptedToken: string | null;

  /** Address of the monitoring or paging tool. */
  @Column({ type: 'text', name: 'api_url', nullable: true })
  apiUrl: string | null;

  /** Sample payload that the custom mapping was created from. */
  @Column({ type: 'jsonb', name: 'payload_example', default: {} })
  payloadExample: JsonObject;

  @Column({ type: 'jsonb', name: 'payload_attribute_mappings', default: [] })
  payloadAttributeMappings: FieldMapping[];

  /** Payload value that means recovery. */
  @Column({ type: 'jsonb', name: 'resolved_when', nullable: true })
  resolvedWhen: ResolvedWhen | null;
}
