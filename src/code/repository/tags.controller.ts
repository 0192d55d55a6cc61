import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import type { TagRecord } from '../../git/reading/references.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { type LinkedProject, type CommitResponse, presentCommit } from './commit.response.js';
import { CreateTagDto, ListTagsDto } from './ref.dto.js';
import { TagsService } from './tags.service.js';

/** A tag. */
interface TagResponse {
  /** @example "v1.0.0" */
  name: string;
  /** Message of an annotated tag. */
  message: string | null;
  /** Tag object of an annotated tag, else the commit. */
  target: string;
  /** null if the target is not a commit. */
  commit: CommitResponse | null;
  /** Always null: there are no releases. */
  release: null;
  protected: boolean;
  /** Creation time of an annotated tag. */
  created_at: string | null;
}

function presentTag(
  { name, message, target, commit, taggedDate }: TagRecord,
  project: LinkedProject,
  presentation: ResponseContext,
): TagResponse {
  return {
    name,
    message,
    target,
    commit: commit === null ? null : presentCommit(commit, project, presentation),
    release: null,
    protected: false,
    created_at: taggedDate?.toISOString() ?? null,
  };
}

/** The tags of a project. */
@Controller('projects/:id/repository/tags')
@Scopes()
@ApiErrors(503)
export class TagsController {
  constructor(private readonly tags: TagsService) {}

  /** Lists the tags of a project, newest first. */
  @Get()
  @ProjectAbility('read_code')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListTagsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<TagResponse[]> {
    const page = await this.tags.list(project, filters, paging);
    return paging.write(mapPage(page, (tag) => presentTag(tag, project, presentation)));
  }

  /** Shows a tag. */
  @Get(':tag_name')
  @ProjectAbility('read_code')
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('tag_name') name: string,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<TagResponse> {
    return presentTag(await this.tags.find(project, name), project, presentation);
  }

  /** Creates a tag; an annotated one with `message`. */
  @Post()
  @ApiErrors(409, 503)
  @ProjectAbility('push_code')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() { tag_name: name, ref, message }: CreateTagDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<TagResponse> {
    await this.tags.create({ project, viewer }, { name, ref, message: message ?? '' });
    return presentTag(await this.tags.find(project, name), project, presentation);
  }

  /** Deletes a tag; requires the Maintainer role. */
  @Delete(':tag_name')
  @HttpCode(204)
  @ApiErrors(409, 412, 503)
  @ProjectAbility('push_code')
  async delete(
    @CurrentProject() project: ProjectRow,
    @Param('tag_name') name: string,
    @CurrentUser() viewer: Viewer,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.tags.delete({ project, viewer }, name, preconditions);
  }
}
