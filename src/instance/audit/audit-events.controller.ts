import { Controller, Get } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import type { AuditEventResponse } from './audit-event.presenter.js';
import { AuditEventsService } from './audit-events.service.js';
import { ListAllAuditEventsDto } from './audit-event.dto.js';

/** The audit log of everything: for administrators. */
@Controller('audit_events')
@Scopes()
@Ability('administrate')
export class AuditEventsController {
  constructor(private readonly events: AuditEventsService) {}

  /** Lists the audit events of the instance, its users, groups and projects, newest first. */
  @Get()
  @ApiErrors(405)
  list(
    @Input() filters: ListAllAuditEventsDto,
    @Pages() paging: Paging,
  ): Promise<AuditEventResponse[]> {
    return this.events.list('everything', filters, paging);
  }

  /** Shows one audit event. */
  @Get(':audit_event_id')
  show(@IntegerId('audit_event_id') id: number): Promise<AuditEventResponse> {
    return this.events.get('everything', id);
  }
}
