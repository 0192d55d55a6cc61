import { Controller, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { AlertRef, type AlertReference } from './alert-ref.decorator.js';
import { AlertChanges } from './alert-changes.service.js';
import { presentAlertDetails, type PresentedAlertDetails } from './alert.presenter.js';
import { AlertsRepository } from '../alerts.repository.js';
import { UpdateAlertDto } from './alert.dto.js';

/** Updates of a project's alerts. */
@Controller('projects/:id/alert_management_alerts/:alert_iid')
@Scopes()
@ProjectAbility('admin_alert')
export class AlertChangesController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly changes: AlertChanges,
  ) {}

  /** Updates status or assignee of an alert. */
  @Put()
  @ApiErrors(412)
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateAlertDto,
    @AlertRef() { iid, viewer, preconditions }: AlertReference,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<PresentedAlertDetails> {
    const alert = await this.alerts.findByIid(project.id, iid);
    preconditions.check(alert.updatedAt);
    const changed = await this.changes.update({ project, alert }, dto, viewer);
    return presentAlertDetails(changed, { project, baseUrl });
  }
}
