import { Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../../core/access/access.decorator.js';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../../core/preconditions.js';
import {
  CurrentProject,
  ProjectAbility,
} from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { payloadFields, type PayloadField } from '../../parsing/payload-fields.js';
import { presentAlertSettings, type AlertSettingsResponse } from './alert-settings.presenter.js';
import { AlertSettingsService } from './alert-settings.service.js';
import { PayloadFieldsDto, UpdateAlertSettingsDto } from './alert-settings.dto.js';
import { readPayloadExample } from '../mapping-rules.js';

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
