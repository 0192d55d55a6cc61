import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { cursorAfter, readIdCursor } from '../../core/pagination/cursor.js';
import { wantsKeyset } from '../../core/pagination/keyset.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ListJobsDto } from './job.dto.js';
import { presentJob, type BackgroundJobResponse } from './job.presenter.js';
import { JobsRepository } from './jobs.repository.js';

/** Background jobs of a project, for members who can read its code. */
@Controller('projects/:id/jobs')
@Scopes()
@ProjectAbility('read_jobs')
export class ProjectJobsController {
  constructor(private readonly jobs: JobsRepository) {}

  /**
   * Lists the background jobs of a project, newest first. With `pagination=keyset` ordered by ID.
   */
  @Get()
  @ApiErrors(405)
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListJobsDto,
    @Pages() paging: Paging,
  ): Promise<BackgroundJobResponse[]> {
    // Reading jobs requires a signed-in user.
    if (!wantsKeyset(filters, { orderBy: 'id', sorts: ['desc'], isOffered: true })) {
      return paging.write(mapPage(await this.jobs.list(project.id, filters, paging), presentJob));
    }
    const position = { before: readIdCursor(filters.cursor), limit: paging.perPage };
    const jobs = await this.jobs.listBefore(project.id, filters, position);
    return paging.writeKeyset(jobs.map(presentJob), cursorAfter(jobs, ['id']));
  }

  /** Shows one background job of a project. */
  @Get(':job_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('job_id') id: number,
  ): Promise<BackgroundJobResponse> {
    return presentJob(await this.jobs.findInProject(project.id, id));
  }
}
