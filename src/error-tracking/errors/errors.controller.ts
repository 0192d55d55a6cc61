import { Controller, Get, Patch, Put, Delete, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { InvalidParamsError } from '../../core/errors.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  type ActorContext,
  RequestContext,
} from '../../workspace/spam/request-context.decorator.js';
import {
  daysOf,
  ErrorTrendDto,
  filtersOf,
  ListErrorsDto,
  UpdateErrorDto,
  UpdateErrorsDto,
  OpenErrorIssueDto,
} from './error.dto.js';
import { conditionOf } from './status-condition.dto.js';
import { ErrorStatusService } from './error-status.service.js';
import { ErrorStatisticsRepository } from '../error-statistics.repository.js';
import { ErrorTrends } from './error-trends.service.js';
import {
  presentError,
  presentErrorDetails,
  type ErrorPresentation,
  type ErrorChangeResponse,
  type ErrorChangesResponse,
  type ErrorResponse,
  type ErrorDayResponse,
  type ErrorDetailsResponse,
  type ErrorTagResponse,
} from './error.presenter.js';
import { ErrorGroupsRepository } from './error-groups.repository.js';
import { ApiErrors, ApiResponses } from '../../core/openapi/api.decorators.js';
import { presentIssue, type IssueResponse } from '../../workspace/issues/issue.response.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import { ErrorIssues } from './error-issues.service.js';

/** The errors of a project and their issues. Everyone who can change errors can also create issues. */
@Controller('projects/:id/error_tracking/errors')
@Scopes()
export class ErrorsController {
  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly changes: ErrorStatusService,
    private readonly statistics: ErrorStatisticsRepository,
    private readonly trends: ErrorTrends,
    private readonly errorIssues: ErrorIssues,
    private readonly issues: IssuesRepository,
    private readonly clock: Clock,
  ) {}

  /** Lists the errors of a project. */
  @Get()
  @ProjectAbility('read_error')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListErrorsDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<ErrorResponse[]> {
    const page = await this.errors.page(project.id, filtersOf(filters), paging);
    return paging.write(mapPage(page, (row) => presentError(row, { project, baseUrl })));
  }

  /** Shows an error with its recent event counts and tags. */
  @Get(':error_id')
  @ProjectAbility('read_error')
  show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<ErrorDetailsResponse> {
    return this.details(id, { project, baseUrl });
  }

  /** Lists the tags of an error with their values. */
  @Get(':error_id/tags')
  @ProjectAbility('read_error')
  async showTags(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
  ): Promise<ErrorTagResponse[]> {
    const error = await this.errors.get(project.id, id);
    return this.statistics.listTags(error.id);
  }

  /** Counts the events of an error by day, today last. */
  @Get(':error_id/trend')
  @ProjectAbility('read_error')
  async showTrend(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() wanted: ErrorTrendDto,
  ): Promise<ErrorDayResponse[]> {
    const error = await this.errors.get(project.id, id);
    return this.trends.daily(error.id, daysOf(wanted));
  }

  /** Resolves, ignores or reopens several errors. */
  @Put()
  @ProjectAbility('admin_error')
  async updateMany(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateErrorsDto,
    @CurrentUser() viewer: Viewer,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ErrorChangesResponse> {
    const { status, error_ids: ids } = dto;
    const condition = conditionOf(status, dto, this.clock.now());
    const wanted = { status, viewer, preconditions, ...condition };
    const change = await this.changes.setStatus(project, ids, wanted);
    return { updated_ids: change.ids, closed_issue_iids: change.closedIssueIids };
  }

  /** Resolves, ignores, reopens or assigns an error. */
  @Put(':error_id')
  @ProjectAbility('admin_error')
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() dto: UpdateErrorDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ErrorChangeResponse> {
    const { id: errorId } = await this.errors.get(project.id, id);
    const { status, assignee_id: assigneeId } = dto;
    const condition = conditionOf(status, dto, this.clock.now());
    const hasAssignee = assigneeId !== undefined && assigneeId !== null;
    if (!status && !hasAssignee) throw new InvalidParamsError(['status is missing']);
    if (hasAssignee) {
      const assignee = assigneeId === 0 ? null : { id: assigneeId, username: null };
      await this.changes.assign(project, errorId, { assignee, viewer, preconditions });
    }
    const rest = { viewer, ...condition, ...(!hasAssignee && { preconditions }) };
    const wanted = status && { status, ...rest };
    const { closedIssueIids } = wanted
      ? await this.changes.setStatus(project, [errorId], wanted)
      : { closedIssueIids: [] };
    const error = await this.details(errorId, { project, baseUrl });
    return { ...error, closed_issue_iid: closedIssueIids[0] ?? null };
  }

  /** The same as PUT. */
  @Patch(':error_id')
  @ProjectAbility('admin_error')
  patch(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() dto: UpdateErrorDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ErrorChangeResponse> {
    return this.update(project, id, dto, viewer, presentation, preconditions);
  }

  /** Creates an issue for an error; with `issue_iid` links an issue instead, returning 200. */
  @Post(':error_id/issue')
  @ProjectAbility('admin_error')
  @ApiResponses(200, 201)
  @ApiErrors(409)
  @RateLimit('create')
  async createIssue(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() dto: OpenErrorIssueDto,
    @RequestContext() change: ActorContext,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    const error = await this.errors.get(project.id, id);
    const wanted = dto.issue_iid ?? null;
    if (wanted !== null) {
      await this.errorIssues.link({ project, error }, wanted, change.viewer);
      response.status(200);
    }
    const attributes = { ...dto, baseUrl: presentation.baseUrl };
    const iid = wanted ?? (await this.errorIssues.create({ project, error }, attributes, change));
    return presentIssue(
      await this.issues.findVisible(change.viewer, project.id, iid),
      presentation,
    );
  }

  /** Unlinks an error from its issue; both are kept. */
  @Delete(':error_id/issue')
  @ProjectAbility('admin_error')
  @HttpCode(204)
  async unlinkIssue(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const error = await this.errors.get(project.id, id);
    await this.errorIssues.unlink({ project, error }, preconditions);
  }

  private async details(
    id: number,
    presentation: ErrorPresentation,
  ): Promise<ErrorDetailsResponse> {
    const row = await this.errors.get(presentation.project.id, id);
    const [{ firstHour, hours }, tags] = await Promise.all([
      this.trends.lastHours(row.id),
      this.statistics.listTags(row.id),
    ]);
    return presentErrorDetails(row, { hours, firstHour, tags }, presentation);
  }
}
