import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { CurrentGroup, GroupPage } from '../../groups/group-access.guard.js';
import { type GroupRow, GroupsRepository } from '../../groups/groups.repository.js';
import { GroupHeader, groupInfo } from '../../groups/pages/group-frame.js';
import { GroupTable } from '../../groups/pages/group-table.js';
import { ORDER_PARAMS, ListPageDto, ORDER_CHOICES } from '../../groups/pages/list-page.dto.js';
import { ProjectsRepository } from '../projects.repository.js';
import { ProjectTable } from './project-table.js';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { EmptyState } from '../../../core/ui/components/content.js';
import { ListFilters } from '../../../core/ui/components/list-filters.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { canInGroup } from '../../../identity/members/abilities.js';

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
    const filters = { search: search ?? null, ...ORDER_PARAMS[order] };
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
    const filters = { search: search ?? null, ...ORDER_PARAMS[order] };
    const query = { filters, viewer: pageContext.viewer, parentId: group.id };
    const page = await this.groups.list(query, paging);
    const table = GroupTable({ caption: 'Subgroups', groups: page.items });
    const list = { kind: 'subgroups', page, paging, search: search ?? '', order, table } as const;
    return pageContext.render(GroupOverviewPage({ pageContext, group, ...list }), groupInfo(group));
  }
}

interface GroupOverviewProps {
  pageContext: PageContext;
  group: GroupRow;
  /** Listed tab: the projects of the group, or its subgroups. */
  kind: 'projects' | 'subgroups';
  page: Page<unknown>;
  paging: { page: number; perPage: number };
  search: string;
  order: string;
  /** The list itself. */
  table: VNode;
}

/** Projects or subgroups of a group. */
function GroupOverviewPage(props: GroupOverviewProps): VNode {
  const { pageContext, group, kind, page, paging, search, order, table } = props;
  const base = `/groups/${group.fullPath}`;
  const path = kind === 'projects' ? base : `${base}/-/subgroups`;
  const tabs = [
    { label: 'Projects', href: base },
    { label: 'Subgroups', href: `${base}/-/subgroups` },
  ];
  const actions = <GroupActions pageContext={pageContext} group={group} />;
  return (
    <>
      <GroupHeader group={group} actions={actions} />
      <Tabs label="Content" items={tabs} current={path} />
      <ListFilters
        path={path}
        label={`Find ${kind}`}
        search={search}
        orders={ORDER_CHOICES}
        order={order}
      />
      {page.items.length === 0 ? <EmptyState title={emptyTitle(kind, search)} /> : table}
      <Pagination page={page} paging={paging} path={path} query={{ search, sort: order }} />
    </>
  );
}

function emptyTitle(kind: 'projects' | 'subgroups', search: string): string {
  return search === '' ? `No ${kind} yet` : `No ${kind} with such a name`;
}

function GroupActions({
  pageContext,
  group,
}: Pick<GroupOverviewProps, 'pageContext' | 'group'>): VNode {
  const access = { ...group, viewer: pageContext.viewer };
  return (
    <>
      {pageContext.viewer !== null && (
        <ButtonLink href={`/-/profile/notifications/groups/${group.id}`} variant="ghost">
          Notifications
        </ButtonLink>
      )}
      {canInGroup('create_subgroup', access) && (
        <ButtonLink href={`/groups/new?parent_id=${group.id}`} variant="outline">
          New subgroup
        </ButtonLink>
      )}
      {canInGroup('create_project', access) && (
        <ButtonLink href={`/projects/new?namespace_id=${group.id}`}>New project</ButtonLink>
      )}
    </>
  );
}
