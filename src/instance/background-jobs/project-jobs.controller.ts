import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { cursorAfter, readIdCursor, wantsKeyset } from '../../core/pagination/keyset.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ListJobsDto, type JobStatus } from './job.dto.js';
import { JobsRepository, type BackgroundJobKind, type JobRow } from './jobs.repository.js';

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

/** Background job of a project, with the attribute names of jobs in API v4. */
interface BackgroundJobResponse {
  id: number;
  status: JobStatus;
  /** Always `storage`: all jobs move repositories between storages. */
  stage: 'storage';
  /** @example project_repository_storage_move */
  name: string;
  /** Always empty: jobs belong to no branch. */
  ref: null;
  tag: false;
  coverage: null;
  allow_failure: false;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  erased_at: null;
  /** Duration so far in seconds. */
  duration: number | null;
  /** Queue time in seconds. */
  queued_duration: number;
  failure_reason: 'move_failed' | 'cleanup_failed' | null;
  /** Always null: jobs have no page. */
  web_url: null;
  tag_list: string[];
  /** Kind of job, which also determines the type of `subject_id`. */
  kind: BackgroundJobKind;
  /** ID of the storage move. */
  subject_id: number;
  project: BackgroundJobProjectResponse;
}

/** The project of a job. */
interface BackgroundJobProjectResponse {
  id: number;
}

const NAMES: Record<BackgroundJobKind, string> = {
  project_move: 'project_repository_storage_move',
  snippet_move: 'snippet_repository_storage_move',
};

/** Returns the public attributes of a job, without its storages. */
function presentJob(row: JobRow): BackgroundJobResponse {
  return {
    id: row.id,
    status: row.status,
    stage: 'storage',
    name: NAMES[row.kind],
    ref: null,
    tag: false,
    coverage: null,
    allow_failure: false,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    erased_at: null,
    duration: row.duration,
    queued_duration: row.queued_duration,
    failure_reason: row.failure_reason,
    web_url: null,
    tag_list: [],
    kind: row.kind,
    subject_id: row.subject_id,
    project: { id: row.project_id },
  };
}
