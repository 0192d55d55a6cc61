import {
  Controller,
  Get,
  Put,
  createParamDecorator,
  type ExecutionContext,
  Post,
  Delete,
  HttpCode,
  Res,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { Scopes } from '../core/access/access.decorator.js';
import { authContext, type Viewer } from '../core/access/auth-context.js';
import type { JsonText } from '../core/http/http-response.js';
import { ApiErrors, ApiResponses } from '../core/openapi/api.decorators.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId, parseIntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { RateLimit } from '../core/rate-limits/named-limits.js';
import { ResponseContext } from '../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../workspace/projects/projects.repository.js';
import {
  alertFormat,
  presentAlertDetails,
  presentAlertStatistics,
  type AlertResponse,
  type AlertDetailsResponse,
  type AlertStatisticsResponse,
} from './alert.presenter.js';
import { AlertsService } from './alerts.service.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertFiltersDto, ListAlertsDto, UpdateAlertDto, OpenIncidentDto } from './alert.dto.js';
import { UnauthorizedError } from '../core/errors.js';
import { readPreconditions, type Preconditions } from '../core/preconditions.js';
import { CreateNoteDto, ListNotesDto } from '../workspace/notes/note.dto.js';
import { presentNote, type NoteResponse } from '../workspace/notes/note.presenter.js';
import { AlertNotes, noteableOf } from './alert-notes.service.js';
import { presentIssue, type IssueResponse } from '../workspace/issues/issue.response.js';
import { IssuesRepository } from '../workspace/issues/issues.repository.js';
import { AlertIncidents } from './alert-incidents.service.js';

/** Change of the alert with the number in the path: its author and preconditions. */
interface AlertReference {
  viewer: Viewer;
  iid: number;
  preconditions: Preconditions;
}

/**
 * Returns the alert reference and the viewer of an update: `update(@AlertRef() change:
 * AlertReference)`.
 */
const AlertRef = createParamDecorator((_: unknown, context: ExecutionContext): AlertReference => {
  const request = context.switchToHttp().getRequest<Request>();
  const { viewer } = authContext(request);
  if (viewer === null) throw new UnauthorizedError();
  const iid = parseIntegerId(String(request.params['alert_iid']), 'alert_iid');
  return { viewer, iid, preconditions: readPreconditions(request) };
});

/** The alerts of a project, their notes, and the issues that people work on because of them. */
@Controller('projects/:id')
@Scopes()
export class AlertsController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly service: AlertsService,
    private readonly notes: AlertNotes,
    private readonly incidents: AlertIncidents,
    private readonly issues: IssuesRepository,
  ) {}

  /** Lists the alerts of a project, without their payloads. */
  @Get('alert_management_alerts')
  @ProjectAbility('read_alert')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListAlertsDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<AlertResponse[]>> {
    const query = { projectId: project.id, filters };
    const format = alertFormat({ project, baseUrl });
    return paging.writeJson(await this.alerts.listItems(query, paging, format));
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
    const changed = await this.service.update({ project, alert }, dto, viewer);
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

  /** Lists the notes of an alert, including system notes. */
  @Get('alert_management_alerts/:alert_iid/notes')
  @ProjectAbility('read_alert')
  async listNotes(
    @CurrentProject() project: ProjectRow,
    @IntegerId('alert_iid') iid: number,
    @Input() filters: ListNotesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const page = await this.notes.list({ project, alert }, filters, paging);
    const noteable = noteableOf(alert);
    return paging.write(mapPage(page, (row) => presentNote(row, noteable, presentation)));
  }

  /** Comments on an alert. */
  @Post('alert_management_alerts/:alert_iid/notes')
  @RateLimit('create')
  @ProjectAbility('admin_alert')
  async createNote(
    @CurrentProject() project: ProjectRow,
    @AlertRef() { iid, viewer }: AlertReference,
    @Input() dto: CreateNoteDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const note = await this.notes.create({ project, alert }, dto, viewer);
    return presentNote(note, noteableOf(alert), presentation);
  }

  /** Creates an incident for an alert; with `issue_iid` links an issue instead, returning 200. */
  @Post('alert_management_alerts/:alert_iid/issue')
  @ProjectAbility('admin_alert')
  @ApiResponses(200, 201)
  @ApiErrors(409)
  @RateLimit('create')
  async createIssue(
    @CurrentProject() project: ProjectRow,
    @Input() { issue_iid: wanted }: OpenIncidentDto,
    @AlertRef() { iid, viewer }: AlertReference,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    const target = { project, alert: await this.alerts.findByIid(project.id, iid) };
    if (typeof wanted === 'number') {
      await this.incidents.link(target, wanted, viewer);
      response.status(200);
    }
    const issueIid = wanted ?? (await this.incidents.open(target, viewer, presentation.baseUrl));
    const issue = await this.issues.findVisible(viewer, project.id, issueIid);
    return presentIssue(issue, presentation);
  }

  /** Unlinks an alert from its issue; both are kept. */
  @Delete('alert_management_alerts/:alert_iid/issue')
  @ProjectAbility('admin_alert')
  @HttpCode(204)
  async unlinkIssue(
    @CurrentProject() project: ProjectRow,
    @AlertRef() { iid, viewer }: AlertReference,
  ): Promise<void> {
    const alert = await this.alerts.findByIid(project.id, iid);
    await this.incidents.unlink({ project, alert }, viewer);
  }
}
