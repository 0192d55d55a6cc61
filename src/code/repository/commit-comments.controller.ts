import { Controller, Get, Param, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { InvalidParamsError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import type { CommitLine } from '../../workspace/notes/notes.service.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  type ActorContext,
  RequestContext,
} from '../../workspace/spam/request-context.decorator.js';
import type { CommitCommentRow } from './commit-comments.repository.js';
import { CommitComments } from './commit-comments.service.js';
import { CommitCommentDto } from './commit.dto.js';
import { assertTakesCode } from './project-repository-writer.service.js';

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
