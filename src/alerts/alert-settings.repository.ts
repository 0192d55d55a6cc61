import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  DataSource,
  Entity,
  ForeignKey,
  PrimaryColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
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

/** The issue template of a project, as a file of its default branch. */
export interface WantedTemplate {
  projectId: number;
  storage: string;
  branch: string;
  key: string;
}

const TEMPLATES_SQL = `
  SELECT DISTINCT p.id AS "projectId", p.repository_storage AS storage,
    p.default_branch AS "branch", s.issue_template_key AS "key"
  FROM alerts a
  JOIN alert_settings s ON s.project_id = a.project_id
  JOIN projects p ON p.id = a.project_id
  WHERE a.id = ANY($1::bigint[]) AND s.issue_template_key IS NOT NULL AND NOT p.empty_repo
    AND p.default_branch IS NOT NULL`;

/** Owns every statement about the alert settings of projects. */
@Injectable()
export class AlertSettingsRepository extends Repository<AlertSetting> {
  constructor(dataSource: DataSource) {
    super(AlertSetting, dataSource.manager);
  }

  /** Returns the issue templates of the alerts' projects that chose one and have commits. */
  listTemplates(manager: EntityManager, alertIds: readonly number[]): Promise<WantedTemplate[]> {
    return manager.query<WantedTemplate[]>(TEMPLATES_SQL, [alertIds]);
  }
}
