import { Controller, Get, Patch, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  daysOf,
  ErrorTrendDto,
  filtersOf,
  ListErrorsDto,
  UpdateErrorDto,
  UpdateErrorsDto,
} from './error.dto.js';
import { ErrorChanges } from './error-changes.service.js';
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
import { ErrorsRepository } from './errors.repository.js';

/** The errors of a project. */
@Controller('projects/:id/error_tracking/errors')
@Scopes()
export class ErrorsController {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly changes: ErrorChanges,
    private readonly statistics: ErrorStatisticsRepository,
    private readonly trends: ErrorTrends,
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
    @Input() { error_ids: ids, status }: UpdateErrorsDto,
    @CurrentUser() viewer: Viewer,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ErrorChangesResponse> {
    const wanted = { status, viewer, preconditions };
    const change = await this.changes.setStatus(project, ids, wanted);
    return { updated_ids: change.ids, closed_issue_iids: change.closedIssueIids };
  }

  /** Resolves, ignores or reopens an error. */
  @Put(':error_id')
  @ProjectAbility('admin_error')
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() { status }: UpdateErrorDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<ErrorChangeResponse> {
    const { id: errorId } = await this.errors.get(project.id, id);
    const wanted = { status, viewer, preconditions };
    const { closedIssueIids } = await this.changes.setStatus(project, [errorId], wanted);
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
