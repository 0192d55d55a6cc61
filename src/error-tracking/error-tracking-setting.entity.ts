import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** How a project tracks its errors; without a row it does not. */
@Entity('error_tracking_settings')
@Check('ck_error_tracking_settings_retention', `"retention_days" BETWEEN 1 AND 365`)
@Check(
  'ck_error_tracking_settings_tracker',
  `NOT "enabled" OR "integrated" OR ("api_url" IS NOT NULL AND "sealed_token" IS NOT NULL)`,
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

  /** Whether errors are collected here; else an external tracker does. */
  @Column({ type: 'boolean', name: 'integrated', default: true })
  integrated: boolean;

  /** API address of the project in the external tracker. */
  @Column({ type: 'text', name: 'api_url', nullable: true })
  apiUrl: string | null;

  /** What the external tracker calls the project. */
  @Column({ type: 'text', name: 'project_name', nullable: true })
  projectName: string | null;

  /** The encrypted token of the external tracker. */
  @Column({ type: 'text', name: 'sealed_token', nullable: true })
  sealedToken: string | null;

  /** Whether what looks secret is removed from events before they are stored. */
  @Column({ type: 'boolean', name: 'scrub_data', default: true })
  scrubData: boolean;

  /** Whether addresses of users are removed, too. */
  @Column({ type: 'boolean', name: 'scrub_ip_addresses', default: false })
  scrubIpAddresses: boolean;

  /** Names of more fields whose values are secret. */
  @Column({ type: 'text', name: 'sensitive_fields', array: true, default: [] })
  sensitiveFields: string[];

  /** Names of fields that are never secret. */
  @Column({ type: 'text', name: 'safe_fields', array: true, default: [] })
  safeFields: string[];

  /** How long events are kept; null = as long as the instance's setting says. */
  @Column({ type: 'smallint', name: 'retention_days', nullable: true })
  retentionDays: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
