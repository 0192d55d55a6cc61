import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { findTag } from '../../git/reading/tags.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CreateTagDto } from './ref.dto.js';
import { orNotFound, ProjectRepository } from './project-repository.service.js';
import { TagChanges } from './tag-changes.service.js';
import { presentTag, type TagResponse } from './tag.presenter.js';

/** Making and deleting tags. */
@Controller('projects/:id/repository/tags')
@Scopes()
@ApiErrors(409, 503)
@ProjectAbility('push_code')
export class TagChangesController {
  constructor(
    private readonly changes: TagChanges,
    private readonly repositories: ProjectRepository,
  ) {}

  /** Creates a tag; an annotated one with `message`. */
  @Post()
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() { tag_name: name, ref, message }: CreateTagDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<TagResponse> {
    await this.changes.create({ project, viewer }, { name, ref, message: message ?? '' });
    const tag = await this.repositories.read(project, (repository) => findTag(repository, name));
    return presentTag(orNotFound(tag, 'Tag'), project, presentation);
  }

  /** Deletes a tag; requires the Maintainer role. */
  @Delete(':tag_name')
  @HttpCode(204)
  @ApiErrors(409, 412, 503)
  async delete(
    @CurrentProject() project: ProjectRow,
    @Param('tag_name') name: string,
    @CurrentUser() viewer: Viewer,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.changes.delete({ project, viewer }, name, preconditions);
  }
}
