import { Controller, Get } from '@nestjs/common';
import { Page } from '../../core/access/page.decorator.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { GroupsRepository } from '../../workspace/groups/groups.repository.js';
import { GroupTable } from '../../workspace/groups/pages/group-table.js';
import { FINDER_ORDERS, ListPageDto } from '../../workspace/groups/pages/list-page.dto.js';
import { ProjectTable } from '../../workspace/projects/pages/project-table.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { SnippetTable } from '../../workspace/snippets/pages/snippets.page.js';
import { SnippetsRepository } from '../../workspace/snippets/snippets.repository.js';
import { ExplorePage } from './explore.page.js';

/** Finding projects, groups and snippets; open to everyone. */
@Controller(atRoot('explore'))
@Page('anyone')
export class ExplorePagesController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
    private readonly snippets: SnippetsRepository,
  ) {}

  /** Lists the projects that the viewer can see. */
  @Get()
  @RateLimit('projects_list')
  async listProjects(
    @Context() pageContext: PageContext,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'newest';
    const filters = { search: search ?? null, ...FINDER_ORDERS[order] };
    const page = await this.projects.list({ filters, viewer: pageContext.viewer }, paging);
    const table = ProjectTable({ caption: 'Projects', projects: page.items });
    const list = {
      kind: 'projects',
      page,
      paging,
      filters: { search: search ?? '', order },
      table,
    } as const;
    return pageContext.render(ExplorePage(list), { title: 'Explore projects', nav: 'explore' });
  }

  /** Lists the groups that the viewer can see. */
  @Get('groups')
  async listGroups(
    @Context() pageContext: PageContext,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'name';
    const filters = { search: search ?? null, ...FINDER_ORDERS[order] };
    const page = await this.groups.list({ filters, viewer: pageContext.viewer }, paging);
    const table = GroupTable({ caption: 'Groups', groups: page.items });
    const list = {
      kind: 'groups',
      page,
      paging,
      filters: { search: search ?? '', order },
      table,
    } as const;
    return pageContext.render(ExplorePage(list), { title: 'Explore groups', nav: 'explore' });
  }

  /** Lists the public personal snippets. */
  @Get('snippets')
  async listSnippets(
    @Context() pageContext: PageContext,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const query = { filters: {}, paging };
    const page = await this.snippets.list(pageContext.viewer, 'public', query);
    const table = SnippetTable({ snippets: page.items });
    const list = { kind: 'snippets', page, paging, filters: null, table } as const;
    return pageContext.render(ExplorePage(list), { title: 'Explore snippets', nav: 'explore' });
  }
}
