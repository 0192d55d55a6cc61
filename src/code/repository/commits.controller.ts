import { Controller, Get, Param, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CodeRepository } from './code.repository.js';
import { CommitCreation, wantedCommit } from './commit-creation.service.js';
import {
  CreateCommitDto,
  ListCommitRefsDto,
  ListCommitsDto,
  ShowCommitDto,
  ShowDiffDto,
} from './commit.dto.js';
import {
  type CommitDetailResponse,
  type CommitInListResponse,
  type CommitRefResponse,
  presentCommit,
  presentCommitDetail,
} from './commit.response.js';
import { CommitsService, type ListedCommit } from './commits.service.js';
import { assertShowable, type DiffResponse, presentDiff } from './diff.response.js';
import { pageOf } from './project-repository.service.js';

/** The commits of a project. */
@Controller('projects/:id/repository/commits')
@Scopes()
@ApiErrors(503)
export class CommitsController {
  constructor(
    private readonly commits: CommitsService,
    private readonly creation: CommitCreation,
    private readonly pipelines: CodeRepository,
  ) {}

  /** Lists commits, newest first. */
  @Get()
  @ProjectAbility('read_code')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListCommitsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<CommitInListResponse[]> {
    const page = await this.commits.list(project, filters, paging);
    const present = ({ commit, stats }: ListedCommit): CommitInListResponse => ({
      ...presentCommit(commit, project, presentation),
      ...(filters.with_stats === true && { stats }),
    });
    return paging.write(mapPage(page, present));
  }

  /** Shows a commit, by its ID or the name of a branch or tag. */
  @Get(':sha')
  @ProjectAbility('read_code')
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() { stats }: ShowCommitDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<CommitDetailResponse> {
    const found = await this.commits.find(project, sha, stats !== false);
    const pipeline = await this.pipelines.findLastPipeline(project.id, found.commit.id);
    return presentCommitDetail({ ...found, pipeline }, project, presentation);
  }

  /**
   * Lists the changes of a commit against its first parent. Returns 400 for changes that are too
   * large.
   */
  @Get(':sha/diff')
  @ProjectAbility('read_code')
  async diff(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() { unidiff }: ShowDiffDto,
    @Pages() paging: Paging,
  ): Promise<DiffResponse[]> {
    const { files } = assertShowable(await this.commits.diff(project, sha));
    const { offset, perPage } = paging;
    const shown = files.slice(offset, offset + perPage);
    const presented = shown.map((file) => presentDiff(file, unidiff === true));
    return paging.write(pageOf(presented, offset, files.length));
  }

  /** Lists the branches and tags that contain a commit. */
  @Get(':sha/refs')
  @ProjectAbility('read_code')
  async refs(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() { type }: ListCommitRefsDto,
    @Pages() paging: Paging,
  ): Promise<CommitRefResponse[]> {
    const refs = await this.commits.refs(project, sha, type ?? 'all');
    const { offset, perPage } = paging;
    return paging.write(pageOf(refs.slice(offset, offset + perPage), offset, refs.length));
  }

  /** Commits changes of one or more files, on an existing or a new branch. */
  @Post()
  @ApiErrors(409, 503)
  @ProjectAbility('push_code')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateCommitDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<CommitDetailResponse> {
    const oid = await this.creation.create({ project, viewer }, wantedCommit(dto, viewer));
    const made = await this.commits.find(project, oid, dto.stats !== false);
    return presentCommitDetail({ ...made, pipeline: null }, project, presentation);
  }
}
