import { Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { payloadFields, type PayloadField } from '../parsing/payload-fields.js';
import { AlertSettingsService, type AlertSettings } from './alert-settings.service.js';
import { PayloadFieldsDto, UpdateAlertSettingsDto } from './alert-settings.dto.js';
import { readPayloadExample } from './mapping-rules.js';

/** Alert settings of a project. */
interface AlertSettingsResponse {
  /** Incidents are created for new alerts. */
  create_issue: boolean;
  /** Issue template appended to incident descriptions. @example "outage" */
  issue_template_key: string | null;
  /** Emails are sent about alerts. */
  send_email: boolean;
  /** Minimum role of the email recipients: 30 Developer, 40 Maintainer, 50 Owner. @example 40 */
  email_access_level: number;
  /** True if incidents opened from alerts are confidential. */
  confidential_incidents: boolean;
  /** Incidents are closed when their alerts have recovered. */
  auto_close_incident: boolean;
  /**
   * Hours without events after which alerts are resolved automatically; null for never.
   * @example 24
   */
  auto_resolve_hours: number | null;
}

/** Presents the alert settings of a project. */
export function presentAlertSettings(settings: AlertSettings): AlertSettingsResponse {
  return {
    create_issue: settings.createIssue,
    issue_template_key: settings.issueTemplateKey,
    send_email: settings.sendEmail,
    email_access_level: settings.emailAccessLevel,
    confidential_incidents: settings.confidentialIncidents,
    auto_close_incident: settings.autoCloseIncident,
    auto_resolve_hours: settings.autoResolveHours,
  };
}

/** Alert settings of a project; for its maintainers. */
@Controller('projects/:id/alert_management')
@Scopes()
@ProjectAbility('admin_alert_integration')
export class AlertSettingsController {
  constructor(private readonly settings: AlertSettingsService) {}

  /** Shows the alert settings of a project. */
  @Get('settings')
  async show(@CurrentProject() project: ProjectRow): Promise<AlertSettingsResponse> {
    return presentAlertSettings(await this.settings.get(project.id));
  }

  /** Updates the alert settings of a project. */
  @Put('settings')
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateAlertSettingsDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<AlertSettingsResponse> {
    const chosen = { id: project.id, preconditions };
    return presentAlertSettings(await this.settings.update(chosen, dto, auth));
  }

  /** Lists the fields of a sample payload for a custom mapping. Changes nothing. */
  @Post('payload_fields')
  @HttpCode(200)
  findPayloadFields(@Input() dto: PayloadFieldsDto): PayloadField[] {
    return payloadFields(readPayloadExample(dto.payload_example));
  }
}
