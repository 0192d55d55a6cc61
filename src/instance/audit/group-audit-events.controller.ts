import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { CurrentGroup, GroupAbility } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import type { AuditEventResponse } from './audit-event.presenter.js';
import { AuditEventsService } from './audit-events.service.js';
import { ListAuditEventsDto } from './audit-event.dto.js';

/** The audit log of one group: for its owners. */
@Controller('groups/:id/audit_events')
@Scopes()
@GroupAbility('admin_group')
export class GroupAuditEventsController {
  constructor(private readonly events: AuditEventsService) {}

  /** Lists the audit events of a group, newest first. */
  @Get()
  @ApiErrors(405)
  list(
    @CurrentGroup() group: GroupRow,
    @Input() filters: ListAuditEventsDto,
    @Pages() paging: Paging,
  ): Promise<AuditEventResponse[]> {
    return this.events.list({ type: 'Group', id: group.id }, filters, paging);
  }

  /** Shows one audit event of a group. */
  @Get(':audit_event_id')
  show(
    @CurrentGroup() group: GroupRow,
    @IntegerId('audit_event_id') id: number,
  ): Promise<AuditEventResponse> {
    return this.events.get({ type: 'Group', id: group.id }, id);
  }
}
