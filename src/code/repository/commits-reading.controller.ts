import { Controller, Get, Param } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CodeRepository } from './code.repository.js';
import { presentCommit, presentCommitDetail } from './commit.presenter.js';
import { CommitsFinder, type ListedCommit } from './commits-finder.service.js';
import { assertShowable, presentDiff, type DiffResponse } from './diff.presenter.js';
import { ListCommitsDto } from './commit.dto.js';
import { ListCommitRefsDto, ShowCommitDto, ShowDiffDto } from './commit.dto.js';
import { pageOf } from './list-pages.js';
import type {
  CommitDetailResponse,
  CommitInListResponse,
  CommitRefResponse,
} from './commit.response.js';

/** Reading the commits of a project. */
@Controller('projects/:id/repository/commits')
@Scopes()
@ApiErrors(503)
@ProjectAbility('read_code')
export class CommitsReadingController {
  constructor(
    private readonly finder: CommitsFinder,
    private readonly pipelines: CodeRepository,
  ) {}

  /** Lists commits, newest first. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListCommitsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<CommitInListResponse[]> {
    const page = await this.finder.list(project, filters, paging);
    const present = ({ commit, stats }: ListedCommit): CommitInListResponse => ({
      ...presentCommit(commit, project, presentation),
      ...(filters.with_stats === true && { stats }),
    });
    return paging.write(mapPage(page, present));
  }

  /** Shows a commit, by its ID or the name of a branch or tag. */
  @Get(':sha')
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() { stats }: ShowCommitDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<CommitDetailResponse> {
    const found = await this.finder.find(project, sha, stats !== false);
    const pipeline = await this.pipelines.findLastPipeline(project.id, found.commit.id);
    return presentCommitDetail({ ...found, pipeline }, project, presentation);
  }

  /**
   * Lists the changes of a commit against its first parent. Returns 400 for changes that are too
   * large.
   */
  @Get(':sha/diff')
  async diff(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() { unidiff }: ShowDiffDto,
    @Pages() paging: Paging,
  ): Promise<DiffResponse[]> {
    const { files } = assertShowable(await this.finder.diff(project, sha));
    const { offset, perPage } = paging;
    const shown = files.slice(offset, offset + perPage);
    const presented = shown.map((file) => presentDiff(file, unidiff === true));
    return paging.write(pageOf(presented, offset, files.length));
  }

  /** Lists the branches and tags that contain a commit. */
  @Get(':sha/refs')
  async refs(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() { type }: ListCommitRefsDto,
    @Pages() paging: Paging,
  ): Promise<CommitRefResponse[]> {
    const refs = await this.finder.refs(project, sha, type ?? 'all');
    const { offset, perPage } = paging;
    return paging.write(pageOf(refs.slice(offset, offset + perPage), offset, refs.length));
  }
}
