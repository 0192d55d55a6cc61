import { Controller, Get, Injectable } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { CurrentGroup, GroupAbility } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { cursorAfter, readIdCursor, wantsKeyset } from '../../core/pagination/keyset.js';
import { type AuditEventResponse, presentAuditEvent } from './audit-event.presenter.js';
import {
  ListAllAuditEventsDto,
  ListAuditEventsDto,
  assertEntityFilter,
} from './audit-event.dto.js';
import { AuditEventsRepository, type AuditScope } from './audit-events.repository.js';

/** Lists and shows audit events over the API; the caller has checked that the viewer can read them. */
@Injectable()
export class AuditEventsService {
  constructor(private readonly events: AuditEventsRepository) {}

  /** Returns one page, by number or keyset, and writes its headers. Throws 405 for another order. */
  async list(
    scope: AuditScope,
    filters: ListAllAuditEventsDto,
    paging: Paging,
  ): Promise<AuditEventResponse[]> {
    if (scope === 'everything') assertEntityFilter(filters);
    const isKeyset = wantsKeyset(filters, { orderBy: 'id', sorts: ['desc'], isOffered: true });
    if (!isKeyset) {
      const page = await this.events.list(scope, filters, paging);
      return paging.write(mapPage(page, presentAuditEvent));
    }
    const rows = await this.events.listBefore(scope, filters, {
      before: readIdCursor(filters.cursor),
      limit: paging.perPage,
    });
    return paging.writeKeyset(rows.map(presentAuditEvent), cursorAfter(rows, ['id']));
  }

  /** Throws NotFoundError, also for an event of another scope. */
  async get(scope: AuditScope, id: number): Promise<AuditEventResponse> {
    return presentAuditEvent(await this.events.findInScope(scope, id));
  }
}

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
