import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog, changesBetween } from '../../core/audit/audit.service.js';
import { assertSomethingGiven } from '../../core/params/input.decorator.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../core/preconditions.js';
import { onPrimary } from '../../core/sql/replica/request-reads.js';
import { ROLES } from '../../identity/members/roles.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { AlertSetting, AlertSettingsRepository } from '../alert-settings.repository.js';
import { ALERT_SETTINGS, type UpdateAlertSettingsDto } from './alert-settings.dto.js';

/** Alert settings of a project. */
export type AlertSettings = Omit<AlertSetting, 'projectId' | 'updatedAt'>;

/** The project to change, with the preconditions of the request. */
interface ChosenProject {
  id: number;
  preconditions?: Preconditions;
}

/** Those of a project that never chose any. */
const DEFAULTS: AlertSettings = {
  createIssue: false,
  issueTemplateKey: null,
  sendEmail: false,
  emailAccessLevel: ROLES.maintainer,
  confidentialIncidents: true,
  autoCloseIncident: true,
  autoResolveHours: null,
};

/** Reads and changes the alert settings of projects; the caller checks permissions. */
@Injectable()
export class AlertSettingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsRepository,
    private readonly settings: AlertSettingsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** The settings of a project; the defaults when it never chose any. */
  async get(projectId: number): Promise<AlertSettings> {
    return settingsOf(await onPrimary(() => this.settings.findOneBy({ projectId })));
  }

  /**
   * Updates the given settings; null keeps a switch or role and clears any other setting. Throws
   * 400 when nothing is given, 403 for an archived project, 404 for one being deleted, and 412.
   */
  async update(
    { id: projectId, preconditions = NO_PRECONDITIONS }: ChosenProject,
    dto: UpdateAlertSettingsDto,
    auth: AuthContext,
  ): Promise<AlertSettings> {
    assertSomethingGiven(dto, ALERT_SETTINGS);
    return this.dataSource.transaction(async (tx) => {
      await this.projects.lockForChange(tx, projectId);
      const row = await tx.findOneBy(AlertSetting, { projectId });
      if (row !== null) preconditions.check(row.updatedAt);
      const before = settingsOf(row);
      const given = givenSettings(dto);
      const after = { ...before, ...given };
      const details = changesBetween<AlertSettings>(before, given);
      if (Object.keys(details).length === 0) return after;
      const values = { ...after, projectId, updatedAt: () => 'now()' };
      await tx.upsert(AlertSetting, values, ['projectId']);
      await this.audit.record(tx, auth, {
        action: 'alert_settings_updated',
        targetType: 'Project',
        targetId: projectId,
        details,
      });
      return after;
    });
  }
}

function settingsOf(row: AlertSetting | null): AlertSettings {
  if (row === null) return DEFAULTS;
  const { createIssue, issueTemplateKey, sendEmail, emailAccessLevel } = row;
  const { confidentialIncidents, autoCloseIncident, autoResolveHours } = row;
  const incidents = { createIssue, issueTemplateKey, confidentialIncidents, autoCloseIncident };
  return { ...incidents, sendEmail, emailAccessLevel, autoResolveHours };
}

function givenSettings(dto: UpdateAlertSettingsDto): Partial<AlertSettings> {
  return {
    ...(dto.create_issue != null && { createIssue: dto.create_issue }),
    ...(dto.issue_template_key !== undefined && { issueTemplateKey: dto.issue_template_key }),
    ...(dto.send_email != null && { sendEmail: dto.send_email }),
    ...(dto.email_access_level != null && { emailAccessLevel: dto.email_access_level }),
    ...(dto.confidential_incidents != null && {
      confidentialIncidents: dto.confidential_incidents,
    }),
    ...(dto.auto_close_incident != null && { autoCloseIncident: dto.auto_close_incident }),
    ...(dto.auto_resolve_hours !== undefined && { autoResolveHours: dto.auto_resolve_hours }),
  };
}
