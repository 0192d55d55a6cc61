import { Controller, Get, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  presentAlert,
  presentAlertDetails,
  presentAlertStatistics,
  type AlertResponse,
  type AlertDetailsResponse,
  type AlertStatisticsResponse,
} from './alert.presenter.js';
import { AlertRef, type AlertReference } from './alert-ref.decorator.js';
import { AlertChanges } from './alert-changes.service.js';
import { AlertsRepository } from '../alerts.repository.js';
import { AlertFiltersDto, ListAlertsDto, UpdateAlertDto } from './alert.dto.js';

/** The alerts of a project. */
@Controller('projects/:id')
@Scopes()
export class AlertsController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly changes: AlertChanges,
  ) {}

  /** Lists the alerts of a project, without their payloads. */
  @Get('alert_management_alerts')
  @ProjectAbility('read_alert')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListAlertsDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<AlertResponse[]> {
    const page = await this.alerts.list(project, filters, paging);
    return paging.write(mapPage(page, (row) => presentAlert(row, { project, baseUrl })));
  }

  /** Shows an alert by its number in the project. */
  @Get('alert_management_alerts/:alert_iid')
  @ProjectAbility('read_alert')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('alert_iid') iid: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<AlertDetailsResponse> {
    return presentAlertDetails(await this.alerts.findByIid(project.id, iid), { project, baseUrl });
  }

  /** Updates status or assignee of an alert. */
  @Put('alert_management_alerts/:alert_iid')
  @ProjectAbility('admin_alert')
  @ApiErrors(412)
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateAlertDto,
    @AlertRef() { iid, viewer, preconditions }: AlertReference,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<AlertDetailsResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    preconditions.check(alert.updatedAt);
    const changed = await this.changes.update({ project, alert }, dto, viewer);
    return presentAlertDetails(changed, { project, baseUrl });
  }

  /** Counts the alerts of a project by their status. */
  @Get('alert_management_alerts_statistics')
  @ProjectAbility('read_alert')
  async statistics(
    @CurrentProject() project: ProjectRow,
    @Input() filters: AlertFiltersDto,
  ): Promise<AlertStatisticsResponse> {
    return presentAlertStatistics(await this.alerts.countByStatus(project.id, filters));
  }
}
