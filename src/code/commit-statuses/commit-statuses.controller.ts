import { Controller, Get, Param, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { CommitState } from '../repository/commit-states.js';
import { CommitsService } from '../repository/commits.service.js';
import { assertTakesCode } from '../repository/project-repository-writer.service.js';
import { CommitStatusesService } from './commit-statuses.service.js';
import { ListCommitStatusesDto, ReportCommitStatusDto } from './commit-status.dto.js';
import { CommitStatusesRepository, type CommitStatusRow } from './commit-statuses.repository.js';

/** Status of a commit, reported by external CI under a name. */
interface CommitStatusResponse {
  id: number;
  /** @example "ed899a2f4b50b4370feeea94676502b42383c746" */
  sha: string;
  /** @example "main" */
  ref: string;
  status: CommitState;
  /** @example "build" */
  name: string;
  /** URL of its page. */
  target_url: string | null;
  description: string | null;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  started_at: string | null;
  /** @format date-time */
  finished_at: string | null;
  /** Lets the pipeline succeed if this status fails. */
  allow_failure: boolean;
  /**
   * Test coverage in percent.
   * @format double
   * @example 87.5
   */
  coverage: number | null;
  /** User who reported the status first; null after their deletion. */
  author: UserBasicResponse | null;
  /** Pipeline of the commit and ref. */
  pipeline_id: number;
}

function presentCommitStatus(
  row: CommitStatusRow,
  { baseUrl }: ResponseContext,
): CommitStatusResponse {
  return {
    id: row.id,
    sha: row.sha,
    ref: row.ref,
    status: row.state,
    name: row.name,
    target_url: row.targetUrl,
    description: row.description,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    allow_failure: row.allowFailure,
    coverage: row.coverage,
    author: row.author && presentUserBasic(row.author, baseUrl),
    pipeline_id: row.pipelineId,
  };
}

/** Commit statuses of external CI. */
@Controller('projects/:id')
@Scopes()
@ApiErrors(503)
export class CommitStatusesController {
  constructor(
    private readonly commits: CommitsService,
    private readonly statuses: CommitStatusesRepository,
    private readonly service: CommitStatusesService,
  ) {}

  /**
   * Reports a status of a commit. Updates a pending or running status of the same name; after a
   * finished one it creates a new status, and only the latest of a name counts.
   */
  @Post('statuses/:sha')
  @ProjectAbility('report_commit_status')
  async report(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() dto: ReportCommitStatusDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<CommitStatusResponse> {
    assertTakesCode(project);
    const id = await this.service.report(project, { sha, dto, viewer });
    return presentCommitStatus(await this.statuses.findPresentable(id), presentation);
  }

  /** Lists the statuses of a commit, by its ID or the name of a branch or tag. */
  @Get('repository/commits/:sha/statuses')
  @ProjectAbility('read_code')
  async list(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() filters: ListCommitStatusesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<CommitStatusResponse[]> {
    const { commit } = await this.commits.find(project, sha, false);
    const selection = { projectId: project.id, sha: commit.id };
    const page = await this.statuses.list(selection, filters, paging);
    return paging.write(mapPage(page, (row) => presentCommitStatus(row, presentation)));
  }
}
