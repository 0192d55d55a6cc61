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
  CommitCommentDto,
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
import { InvalidParamsError } from '../../core/errors.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import type { CommitLine } from '../../workspace/notes/notes.service.js';
import {
  type ActorContext,
  RequestContext,
} from '../../workspace/spam/request-context.decorator.js';
import type { CommitCommentRow } from './commit-comments.repository.js';
import { CommitComments } from './commit-comments.service.js';
import { assertTakesCode } from './project-repository-writer.service.js';

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

/** A comment on a commit. */
interface CommitCommentResponse {
  /** Markdown. */
  note: string;
  /** File of the commented line; null = the whole commit. */
  path: string | null;
  line: number | null;
  line_type: 'new' | 'old' | null;
  author: UserBasicResponse;
  /** @format date-time */
  created_at: string;
}

/** The comment as v4 shows it: without an id. */
function presentCommitComment(
  { body, path, line, lineType, author, createdAt }: CommitCommentRow,
  { baseUrl }: ResponseContext,
): CommitCommentResponse {
  return {
    note: body,
    path,
    line,
    line_type: lineType,
    author: presentUserBasic(author, baseUrl),
    created_at: createdAt.toISOString(),
  };
}

/** Comments on commits. */
@Controller('projects/:id/repository/commits/:sha/comments')
@Scopes()
@ApiErrors(503)
export class CommitCommentsController {
  constructor(private readonly comments: CommitComments) {}

  /** Lists the comments on a commit, oldest first. */
  @Get()
  @ProjectAbility('read_code')
  async list(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<CommitCommentResponse[]> {
    const page = await this.comments.list(project, sha, paging);
    return paging.write(mapPage(page, (row) => presentCommitComment(row, presentation)));
  }

  /** Comments on a commit, or on a line of its diff. */
  @Post()
  @ApiErrors(409, 503)
  @RateLimit('create')
  @ProjectAbility('comment_code')
  async create(
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Input() dto: CommitCommentDto,
    @RequestContext() { sender }: ActorContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<CommitCommentResponse> {
    assertTakesCode(project);
    const comment = { sender, body: dto.note, line: lineOf(dto) };
    return presentCommitComment(await this.comments.create(project, sha, comment), presentation);
  }
}

function lineOf({ path, line, line_type: type }: CommitCommentDto): CommitLine | null {
  if (!path) return null;
  if (!line) throw new InvalidParamsError(['line is missing']);
  return { path, line, type: type ?? 'new' };
}
