import { Controller, Get } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { JsonText } from '../../core/http/http-response.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { toJsonText } from '../../core/pagination/json-items.js';
import { wantsKeyset } from '../../core/pagination/keyset.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentGroup, GroupAbility } from '../groups/group-access.guard.js';
import type { GroupRow } from '../groups/groups.repository.js';
import type { ProjectResponse, ProjectBasicResponse } from './project.response.js';
import { ListProjectsDto } from './project-filters.dto.js';
import {
  presentProjectBasic,
  presentProjectWithAccess,
  projectFormat,
} from './project.presenter.js';
import { ProjectsRepository, type CountedProjectRow } from './projects.repository.js';
import type { ProjectsQuery } from './sql/project-list.js';

type ListedProject = ProjectBasicResponse | ProjectResponse;

/** Lists of projects. */
@Controller()
@Scopes()
export class ProjectListsController {
  constructor(private readonly projects: ProjectsRepository) {}

  /**
   * Lists the projects that the viewer can see: in short form for anonymous requests and with
   * `simple`. With `pagination=keyset` ordered by ID, each page links to the next by its last ID
   * until one is empty.
   */
  @Get('projects')
  @RateLimit('projects_list')
  @ApiErrors(405)
  @Ability('anyone')
  async list(
    @Input() filters: ListProjectsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<ListedProject[]>> {
    const query: ProjectsQuery = { filters, viewer: presentation.viewer };
    if (!wantsProjectKeyset(filters)) {
      const format = projectFormat(presentation, filters.simple === true);
      return paging.writeJson(await this.projects.listItems(query, paging, format));
    }
    const rows = await this.projects.listFirst(query, paging.perPage);
    const items = rows.map(listPresenter(filters, presentation));
    return toJsonText(paging.writeKeyset(items, positionAfter(rows, filters)));
  }

  /** Lists the projects of a group that the viewer can see. */
  @Get('groups/:id/projects')
  @ApiErrors(405)
  @GroupAbility('read_group')
  async listOfGroup(
    @CurrentGroup() group: GroupRow,
    @Input() filters: ListProjectsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<ListedProject[]>> {
    const scope = { namespaceId: group.id, withDescendants: filters.include_subgroups === true };
    const query = { filters, viewer: presentation.viewer, scope };
    const format = projectFormat(presentation, filters.simple === true);
    return paging.writeJson(await this.projects.listItems(query, paging, format));
  }
}

function listPresenter(
  { simple }: ListProjectsDto,
  presentation: ResponseContext,
): (project: CountedProjectRow) => ListedProject {
  if (simple === true || presentation.viewer === null) {
    return (project) => presentProjectBasic(project, presentation);
  }
  return (project) => presentProjectWithAccess(project, presentation);
}

/** Keyset pagination of projects is by ID, newest first by default. */
function wantsProjectKeyset(filters: ListProjectsDto): boolean {
  return wantsKeyset(filters, { orderBy: 'id', sorts: ['desc', 'asc'], isOffered: true });
}

/** Where the page after these rows begins; null after an empty page, which is the end. */
function positionAfter(
  rows: readonly { id: number }[],
  { sort }: ListProjectsDto,
): Record<string, string> | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  return { [sort === 'asc' ? 'id_after' : 'id_before']: String(last.id) };
}
