import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { daysOf, ErrorTrendDto, filtersOf, ListErrorsDto } from './error.dto.js';
import { ErrorDetailsReader } from './error-details-reader.service.js';
import { ErrorStatisticsRepository } from '../error-statistics.repository.js';
import { ErrorTrends } from './error-trends.service.js';
import {
  presentError,
  type PresentedError,
  type PresentedErrorDay,
  type PresentedErrorDetails,
  type PresentedErrorTag,
} from './error.presenter.js';
import { ErrorsRepository } from './errors.repository.js';

/** Reading the errors of a project. */
@Controller('projects/:id/error_tracking/errors')
@Scopes()
@ProjectAbility('read_error')
export class ErrorsController {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly details: ErrorDetailsReader,
    private readonly statistics: ErrorStatisticsRepository,
    private readonly trends: ErrorTrends,
  ) {}

  /** Lists the errors of a project. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListErrorsDto,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<PresentedError[]> {
    const page = await this.errors.page(project.id, filtersOf(filters), paging);
    return paging.write(mapPage(page, (row) => presentError(row, { project, baseUrl })));
  }

  /** Shows an error with its recent event counts and tags. */
  @Get(':error_id')
  show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<PresentedErrorDetails> {
    return this.details.read(id, { project, baseUrl });
  }

  /** Lists the tags of an error with their values. */
  @Get(':error_id/tags')
  async showTags(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
  ): Promise<PresentedErrorTag[]> {
    const error = await this.errors.get(project.id, id);
    return this.statistics.listTags(error.id);
  }

  /** Counts the events of an error by day, today last. */
  @Get(':error_id/trend')
  async showTrend(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Input() wanted: ErrorTrendDto,
  ): Promise<PresentedErrorDay[]> {
    const error = await this.errors.get(project.id, id);
    return this.trends.daily(error.id, daysOf(wanted));
  }
}
