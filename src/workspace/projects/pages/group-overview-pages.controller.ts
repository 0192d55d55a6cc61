import { Controller, Get } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { CurrentGroup } from '../../groups/group-access.guard.js';
import { type GroupRow, GroupsRepository } from '../../groups/groups.repository.js';
import { groupInfo } from '../../groups/pages/group-frame.js';
import { GroupPage } from '../../groups/pages/group-page.guard.js';
import { GroupTable } from '../../groups/pages/group-table.js';
import { FINDER_ORDERS, ListPageDto } from '../../groups/pages/list-page.dto.js';
import { ProjectsRepository } from '../projects.repository.js';
import { GroupOverviewPage } from './group-overview.page.js';
import { ProjectTable } from './project-table.js';

/** Overview of a group: its projects and subgroups. */
@Controller(atRoot('groups/*group_path'))
export class GroupOverviewPagesController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
  ) {}

  /** Lists the projects of the group that the viewer can see. */
  @Get()
  @GroupPage('read_group', 'anyone')
  async show(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'newest';
    const filters = { search: search ?? null, ...FINDER_ORDERS[order] };
    const scope = { namespaceId: group.id, withDescendants: false };
    const page = await this.projects.list({ filters, viewer: pageContext.viewer, scope }, paging);
    const table = ProjectTable({ caption: 'Projects', projects: page.items });
    const list = { kind: 'projects', page, paging, search: search ?? '', order, table } as const;
    return pageContext.render(GroupOverviewPage({ pageContext, group, ...list }), groupInfo(group));
  }

  /** Lists the direct subgroups that the viewer can see. */
  @Get('-/subgroups')
  @GroupPage('read_group', 'anyone')
  async subgroups(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'name';
    const filters = { search: search ?? null, ...FINDER_ORDERS[order] };
    const query = { filters, viewer: pageContext.viewer, parentId: group.id };
    const page = await this.groups.list(query, paging);
    const table = GroupTable({ caption: 'Subgroups', groups: page.items });
    const list = { kind: 'subgroups', page, paging, search: search ?? '', order, table } as const;
    return pageContext.render(GroupOverviewPage({ pageContext, group, ...list }), groupInfo(group));
  }
}
