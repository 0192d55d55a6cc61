import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../workspace/projects/project.entity.js';

/** Error tracking settings of a project; without a row error tracking is disabled. */
@Entity('error_tracking_settings')
@Check('ck_error_tracking_settings_retention', `"retention_days" BETWEEN 1 AND 365`)
@Check(
  'ck_error_tracking_settings_tracker',
  `NOT "enabled" OR "integrated" OR ("api_url" IS NOT NULL AND "encrypted_token" IS NOT NULL)`,
)
export class ErrorTrackingSetting {
  @ForeignKey(() => Project, { name: 'fk_error_tracking_settings_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_error_tracking_settings',
  })
  projectId: number;

  @Column({ type: 'boolean', name: 'enabled' })
  enabled: boolean;

  /** True for the built-in backend, false for an external tracker. */
  @Column({ type: 'boolean', name: 'integrated', default: true })
  integrated: boolean;

  /** API address of the project in the external tracker. */
  @Column({ type: 'text', name: 'api_url', nullable: true })
  apiUrl: string | null;

  /** Name of the project in the external tracker. */
  @Column({ type: 'text', name: 'project_name', nullable: true })
  projectName: string | null;

  /** The encrypted token of the external tracker. */
  @Column({ type: 'text', name: 'encrypted_token', nullable: true })
  encryptedToken: string | null;

  /** Removes sensitive data from events before they are stored. */
  @Column({ type: 'boolean', name: 'scrub_data', default: true })
  scrubData: boolean;

  /** Removes IP addresses of users as well. */
  @Column({ type: 'boolean', name: 'scrub_ip_addresses', default: false })
  scrubIpAddresses: boolean;

  /** Names of more fields whose values are secret. */
  @Column({ type: 'text', name: 'sensitive_fields', array: true, default: [] })
  sensitiveFields: string[];

  /** Names of fields that are never secret. */
  @Column({ type: 'text', name: 'safe_fields', array: true, default: [] })
  safeFields: string[];

  /** Retention of events in days; null = the instance setting. */
  @Column({ type: 'smallint', name: 'retention_days', nullable: true })
  retentionDays: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
