import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { AuditEventResponse } from './audit-event.presenter.js';
import { AuditEventsService } from './audit-events.service.js';
import { ListAuditEventsDto } from './audit-event.dto.js';

/** The audit log of one project: for its maintainers. */
@Controller('projects/:id/audit_events')
@Scopes()
@ProjectAbility('admin_project')
export class ProjectAuditEventsController {
  constructor(private readonly events: AuditEventsService) {}

  /** Lists the audit events of a project, newest first. */
  @Get()
  @ApiErrors(405)
  list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListAuditEventsDto,
    @Pages() paging: Paging,
  ): Promise<AuditEventResponse[]> {
    return this.events.list({ type: 'Project', id: project.id }, filters, paging);
  }

  /** Shows one audit event of a project. */
  @Get(':audit_event_id')
  show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('audit_event_id') id: number,
  ): Promise<AuditEventResponse> {
    return this.events.get({ type: 'Project', id: project.id }, id);
  }
}
