import { Controller, Get, Param } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { findTag, listTags } from '../../git/reading/tags.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ListTagsDto } from './ref.dto.js';
import { pageOf } from './list-pages.js';
import { orNotFound, ProjectRepository } from './project-repository.service.js';
import { presentTag, type TagResponse } from './tag.presenter.js';

/** Reading the tags of a project. */
@Controller('projects/:id/repository/tags')
@Scopes()
@ApiErrors(503)
@ProjectAbility('read_code')
export class TagsController {
  constructor(private readonly repositories: ProjectRepository) {}

  /** Lists the tags of a project, newest first. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListTagsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<TagResponse[]> {
    const { offset, perPage: limit } = paging;
    const selection = { ...selectionOf(filters), offset, limit };
    const { tags, total } = await this.repositories.read(project, (repository) =>
      listTags(repository, selection),
    );
    const presented = tags.map((tag) => presentTag(tag, project, presentation));
    return paging.write(pageOf(presented, offset, total));
  }

  /** Shows a tag. */
  @Get(':tag_name')
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('tag_name') name: string,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<TagResponse> {
    const tag = await this.repositories.read(project, (repository) => findTag(repository, name));
    return presentTag(orNotFound(tag, 'Tag'), project, presentation);
  }
}

function selectionOf({ search, order_by, sort }: ListTagsDto): Parameters<typeof listTags>[1] {
  const direction = sort ?? 'desc';
  const byName = direction === 'asc' ? 'name' : 'name_desc';
  const order = order_by === 'name' ? byName : (`${order_by ?? 'updated'}_${direction}` as const);
  return { search: search ?? undefined, sort: order };
}
