import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommitsFinder } from '../repository/commits-finder.service.js';
import { assertTakesCode } from '../repository/repository-changes.service.js';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CommitStatusReports } from './commit-status-reports.service.js';
import { type CommitStatusResponse, presentCommitStatus } from './commit-status.presenter.js';
import { CommitStatusesRepository } from './commit-statuses.repository.js';
import { ListCommitStatusesDto, ReportCommitStatusDto } from './commit-status.dto.js';

/** Commit statuses of external CI. */
@Controller('projects/:id')
@Scopes()
@ApiErrors(503)
export class CommitStatusesController {
  constructor(
    private readonly commits: CommitsFinder,
    private readonly statuses: CommitStatusesRepository,
    private readonly reports: CommitStatusReports,
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
    const id = await this.reports.report(project, { sha, dto, viewer });
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
    const place = { projectId: project.id, sha: commit.id };
    const page = await this.statuses.list(place, filters, paging);
    return paging.write(mapPage(page, (row) => presentCommitStatus(row, presentation)));
  }
}
