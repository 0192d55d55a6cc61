import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import {
  presentAlert,
  presentAlertDetails,
  presentAlertStatistics,
  type PresentedAlert,
  type PresentedAlertDetails,
  type PresentedAlertStatistics,
} from './alert.presenter.js';
import { AlertsRepository } from '../alerts.repository.js';
import { AlertFiltersDto, ListAlertsDto } from './alert.dto.js';

/** Reading the alerts of a project. */
@Controller('projects/:id')
@Scopes()
@ProjectAbility('read_alert')
export class AlertsController {
  constructor(private readonly alerts: AlertsRepository) {}

  /** Lists the alerts of a project, without their payloads. */
  @Get('alert_management_alerts')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListAlertsDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<PresentedAlert[]> {
    const page = await this.alerts.list(project, filters, paging);
    return paging.write(mapPage(page, (row) => presentAlert(row, { project, baseUrl })));
  }

  /** Shows an alert by its number in the project. */
  @Get('alert_management_alerts/:alert_iid')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('alert_iid') iid: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<PresentedAlertDetails> {
    return presentAlertDetails(await this.alerts.findByIid(project.id, iid), { project, baseUrl });
  }

  /** Counts the alerts of a project by their status. */
  @Get('alert_management_alerts_statistics')
  async statistics(
    @CurrentProject() project: ProjectRow,
    @Input() filters: AlertFiltersDto,
  ): Promise<PresentedAlertStatistics> {
    return presentAlertStatistics(await this.alerts.countByStatus(project.id, filters));
  }
}
