import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ROLES } from '../identity/members/roles.js';
import { Project } from '../workspace/projects/project.entity.js';

/** Minimum roles for alert emails: Developer, Maintainer, Owner. */
export const EMAIL_ACCESS_LEVELS = [ROLES.developer, ROLES.maintainer, ROLES.owner] as const;

/** Alert settings of a project; without a row the defaults hold. */
@Entity('alert_settings')
@Check('ck_alert_settings_auto_resolve_hours', `"auto_resolve_hours" BETWEEN 1 AND 8760`)
@Check('ck_alert_settings_email_access_level', `"email_access_level" IN (30, 40, 50)`)
export class AlertSetting {
  @ForeignKey(() => Project, { name: 'fk_alert_settings_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_alert_settings',
  })
  projectId: number;

  /** Opens an incident for each alert that has none. */
  @Column({ type: 'boolean', name: 'create_issue', default: false })
  createIssue: boolean;

  /** Issue template appended to incident descriptions. */
  @Column({ type: 'text', name: 'issue_template_key', nullable: true })
  issueTemplateKey: string | null;

  /** Sends emails to members with at least the role `emailAccessLevel`. */
  @Column({ type: 'boolean', name: 'send_email', default: false })
  sendEmail: boolean;

  @Column({ type: 'smallint', name: 'email_access_level', default: ROLES.maintainer })
  emailAccessLevel: number;

  /** Makes incidents confidential, since they repeat the content of alerts. */
  @Column({ type: 'boolean', name: 'confidential_incidents', default: true })
  confidentialIncidents: boolean;

  /** Closes the incident when its alerts have recovered. */
  @Column({ type: 'boolean', name: 'auto_close_incident', default: true })
  autoCloseIncident: boolean;

  /** Resolves an alert that was not heard of for so long. */
  @Column({ type: 'integer', name: 'auto_resolve_hours', nullable: true })
  autoResolveHours: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
