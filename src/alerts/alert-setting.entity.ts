import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../projects/project.entity.js';

/** What a project does about its alerts; without a row the defaults hold. */
@Entity('alert_settings')
@Check('ck_alert_settings_auto_resolve_hours', `"auto_resolve_hours" BETWEEN 1 AND 8760`)
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

  /** Name of the issue template whose text ends each incident. */
  @Column({ type: 'text', name: 'issue_template_key', nullable: true })
  issueTemplateKey: string | null;

  /** Mails owners and maintainers. */
  @Column({ type: 'boolean', name: 'send_email', default: false })
  sendEmail: boolean;

  /** Closes the incident when its alerts have recovered. */
  @Column({ type: 'boolean', name: 'auto_close_incident', default: true })
  autoCloseIncident: boolean;

  /** Resolves an alert that was not heard of for so long. */
  @Column({ type: 'integer', name: 'auto_resolve_hours', nullable: true })
  autoResolveHours: number | null;
}
