import { Controller, Get } from '@nestjs/common';
import type { ComponentChildren, VNode } from 'preact';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import type { Page } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { ButtonLink, OverflowMenu } from '../../../core/ui/components/button.js';
import { Pagination } from '../../../core/ui/components/list.js';
import { notificationSettingPath } from '../../../core/ui/addresses.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { AccessRequestButton } from '../../../identity/members/pages/access-requests.js';
import { CurrentGroup, GroupPage } from '../../groups/group-access.guard.js';
import { ListPageDto, ORDER_CHOICES, ORDER_PARAMS } from '../../groups/group.dto.js';
import { type GroupRow, GroupsRepository } from '../../groups/groups.repository.js';
import { GroupHeader, groupInfo } from '../../groups/pages/group-frame.js';
import { GroupTable } from '../../groups/pages/group-table.js';
import { type ProjectRow, ProjectsRepository } from '../projects.repository.js';
import { EmptyState } from '../../../core/ui/components/content.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { canInGroup } from '../../../identity/members/abilities.js';
import {
  AccessRequestsService,
  type RequestState,
} from '../../../identity/members/access-requests/access-requests.service.js';
import { groupSource } from '../../../identity/members/member-source.js';
import { groupTree, GroupTreeCard } from './group-tree.js';
import { ProjectTable } from './project-table.js';

/** Overview of a group: its subgroups and projects. */
@Controller(atRoot('groups/*group_path'))
export class GroupOverviewPagesController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
    private readonly requests: AccessRequestsService,
  ) {}

  /** Shows the tree of subgroups and projects that the viewer can see. */
  @Get()
  @GroupPage('read_group', 'anyone')
  async show(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const first = paging.first(MAX_SHOWN);
    const [groups, projects, requestState] = await Promise.all([
      this.groups.list({ filters: ORDER_PARAMS.name, viewer, ancestorId: group.id }, first),
      this.projects.list({ filters: ORDER_PARAMS.name, viewer, scope: scopeOf(group) }, first),
      this.requests.stateOf({ ...group, source: groupSource(group) }, viewer),
    ]);
    const content = GroupOverviewPage({ pageContext, group, groups, projects, requestState });
    return pageContext.render(content, groupInfo(group));
  }

  /** Lists the projects of the group and its subgroups that the viewer can see. */
  @Get('-/projects')
  @GroupPage('read_group', 'anyone')
  async listProjects(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'newest';
    const filters = { search: search ?? null, ...ORDER_PARAMS[order] };
    const query = { filters, viewer: pageContext.viewer, scope: scopeOf(group) };
    const page = await this.projects.list(query, paging);
    const table = ProjectTable({ caption: 'Projects', projects: page.items });
    const list = { kind: 'projects', page, paging, search: search ?? '', order, table } as const;
    return pageContext.render(GroupListPage({ pageContext, group, ...list }), groupInfo(group));
  }

  /** Lists the subgroups at every level that the viewer can see. */
  @Get('-/subgroups')
  @GroupPage('read_group', 'anyone')
  async listSubgroups(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'name';
    const filters = { search: search ?? null, ...ORDER_PARAMS[order] };
    const query = { filters, viewer: pageContext.viewer, ancestorId: group.id };
    const page = await this.groups.list(query, paging);
    const table = GroupTable({ caption: 'Subgroups', groups: page.items });
    const list = { kind: 'subgroups', page, paging, search: search ?? '', order, table } as const;
    return pageContext.render(GroupListPage({ pageContext, group, ...list }), groupInfo(group));
  }
}

/** Subgroups and projects each in a tree; the lists have all of them. */
const MAX_SHOWN = 100;
/** Trees up to this size are shown expanded. */
const MAX_OPEN = 30;

function scopeOf({ id }: GroupRow): { namespaceId: number; withDescendants: true } {
  return { namespaceId: id, withDescendants: true };
}

interface GroupPageProps {
  pageContext: PageContext;
  group: GroupRow;
}

interface GroupOverviewProps extends GroupPageProps {
  /** Of the viewer; null when there is nothing to request. */
  requestState: RequestState | null;
  groups: Page<GroupRow>;
  projects: Page<ProjectRow>;
}

function GroupOverviewPage(props: GroupOverviewProps): VNode {
  const { pageContext, group, groups, projects, requestState } = props;
  const base = `/groups/${group.fullPath}`;
  const size = groups.items.length + projects.items.length;
  const tree = groupTree(group, { groups: groups.items, projects: projects.items });
  return (
    <>
      <GroupTop pageContext={pageContext} group={group} current={base}>
        {requestState !== null && (
          <AccessRequestButton
            pageContext={pageContext}
            path={`${base}/-/group_members`}
            state={requestState}
          />
        )}
      </GroupTop>
      {size === 0 ? (
        <EmptyState title="No subgroups or projects yet">
          Groups contain projects and subgroups. Members inherit access to everything in the group.
        </EmptyState>
      ) : (
        <GroupTreeCard tree={tree} open={size <= MAX_OPEN} />
      )}
      {(groups.hasNext || projects.hasNext) && (
        <p class="text-muted-foreground">
          Showing the first {MAX_SHOWN} subgroups and projects.{' '}
          <a href={`${base}/-/projects`}>View all projects</a>
        </p>
      )}
    </>
  );
}

interface GroupListProps extends GroupPageProps {
  kind: 'projects' | 'subgroups';
  page: Page<unknown>;
  paging: { page: number; perPage: number };
  search: string;
  order: string;
  /** The list itself. */
  table: VNode;
}

/** All projects or subgroups of a group as a list. */
function GroupListPage(props: GroupListProps): VNode {
  const { kind, page, paging, search, order, table } = props;
  const path = `/groups/${props.group.fullPath}/-/${kind}`;
  return (
    <>
      <GroupTop pageContext={props.pageContext} group={props.group} current={path} />
      <FilterBar
        path={path}
        label={`Find ${kind}`}
        search={search}
        sort={{ name: 'sort', options: ORDER_CHOICES, value: order }}
      />
      {page.items.length === 0 ? (
        <EmptyState title={search === '' ? `No ${kind} yet` : `No ${kind} match your search`} />
      ) : (
        table
      )}
      <Pagination page={page} paging={paging} path={path} query={{ search, sort: order }} />
    </>
  );
}

interface GroupTopProps extends GroupPageProps {
  current: string;
  /** Further actions. */
  children?: ComponentChildren;
}

/** Head of the overview and the lists. */
function GroupTop({ pageContext, group, current, children }: GroupTopProps): VNode {
  const base = `/groups/${group.fullPath}`;
  const tabs = [
    { label: 'Overview', href: base },
    { label: 'Projects', href: `${base}/-/projects` },
    { label: 'Subgroups', href: `${base}/-/subgroups` },
  ];
  return (
    <>
      <GroupHeader
        group={group}
        actions={
          <>
            {children}
            <GroupActions pageContext={pageContext} group={group} />
          </>
        }
      />
      <Tabs label="Content" items={tabs} current={current} />
    </>
  );
}

function GroupActions({ pageContext, group }: GroupPageProps): VNode {
  const access = { ...group, viewer: pageContext.viewer };
  return (
    <>
      {canInGroup('create_subgroup', access) && (
        <ButtonLink href={`/groups/new?parent_id=${group.id}`} variant="outline">
          New subgroup
        </ButtonLink>
      )}
      {canInGroup('create_project', access) && (
        <ButtonLink href={`/projects/new?namespace_id=${group.id}`}>New project</ButtonLink>
      )}
      {pageContext.viewer !== null && (
        <OverflowMenu of={group.name}>
          <ButtonLink
            href={notificationSettingPath({ kind: 'group', id: group.id })}
            variant="ghost"
          >
            Notifications
          </ButtonLink>
        </OverflowMenu>
      )}
    </>
  );
}
