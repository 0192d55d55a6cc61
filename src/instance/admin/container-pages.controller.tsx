import { Controller, Get } from '@nestjs/common';
import type { ComponentChildren, VNode } from 'preact';
import { Page } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import type { Page as ListPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { TextParam } from '../../core/params/params.decorator.js';
import { Person } from '../../core/ui/components/avatar.js';
import { Badge, Card, EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { FilterBar } from '../../core/ui/components/filter-bar.js';
import { Pagination } from '../../core/ui/components/list.js';
import { Cell, Table } from '../../core/ui/components/table.js';
import { Time } from '../../core/ui/components/time.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { VisibilityBadge } from '../../identity/members/pages/visibility.js';
import { ListPageDto, ORDER_CHOICES, ORDER_PARAMS } from '../../workspace/groups/group.dto.js';
import { GroupsRepository, type GroupRow } from '../../workspace/groups/groups.repository.js';
import {
  fullPathOf,
  ProjectsRepository,
  type ProjectRow,
} from '../../workspace/projects/projects.repository.js';
import { AdminStatsRepository, type GroupCounts } from './admin-stats.repository.js';

/** Query parameters of the lists of administrators. */
class ListContainersDto extends ListPageDto {
  /** Only those on this storage. */
  @TextParam()
  storage?: string | null;
}

const CRUMBS = [{ label: 'Admin', href: '/admin' }];

/** All groups and projects of the instance, for administrators. */
@Controller(atRoot('admin'))
@Page('administrate')
export class ContainerPagesController {
  constructor(
    private readonly groupRows: GroupsRepository,
    private readonly projectRows: ProjectsRepository,
    private readonly stats: AdminStatsRepository,
    private readonly storages: StorageRegistry,
  ) {}

  /** Lists groups, newest first by default. */
  @Get('groups')
  async groups(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() dto: ListContainersDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const page = await this.groupRows.list({ filters: filtersOf(dto), viewer }, paging);
    const counts = await this.stats.countOfGroups(page.items.map(({ id }) => id));
    const table = <GroupsTable groups={page.items} counts={counts} />;
    const storages = this.storages.names();
    const content = ContainersPage({ kind: 'groups', dto, page, paging, storages, table });
    const info = { title: 'Groups', count: page.total, nav: 'admin', crumbs: CRUMBS } as const;
    return pageContext.render(content, info);
  }

  /** Lists projects, newest first by default. */
  @Get('projects')
  async projects(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() dto: ListContainersDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const filters = { ...filtersOf(dto), search_namespaces: true };
    const page = await this.projectRows.list({ filters, viewer }, paging);
    const table = <ProjectsTable projects={page.items} />;
    const storages = this.storages.names();
    const content = ContainersPage({ kind: 'projects', dto, page, paging, storages, table });
    const info = { title: 'Projects', count: page.total, nav: 'admin', crumbs: CRUMBS } as const;
    return pageContext.render(content, info);
  }
}

function filtersOf({ search, sort, storage }: ListContainersDto) {
  const order = ORDER_PARAMS[sort ?? 'newest'];
  return { search: search ?? null, repository_storage: storage ?? null, ...order };
}

interface ContainersPageProps {
  kind: 'groups' | 'projects';
  dto: ListContainersDto;
  page: ListPage<unknown>;
  paging: { page: number; perPage: number };
  storages: readonly string[];
  table: VNode;
}

function ContainersPage({ kind, dto, page, paging, storages, table }: ContainersPageProps): VNode {
  const path = `/admin/${kind}`;
  const { search, sort, storage } = dto;
  const choices = storages.map((name) => ({ value: name, label: name }));
  return (
    <>
      <PageHeader
        title={kind === 'groups' ? 'Groups' : 'Projects'}
        state={page.total === null ? undefined : <Badge>{page.total.toLocaleString('en')}</Badge>}
      />
      <FilterBar
        path={path}
        search={search}
        searchLabel="Name or path"
        fields={[{ name: 'storage', label: 'Storage', value: storage, options: choices }]}
        sort={{ name: 'sort', options: ORDER_CHOICES, value: sort ?? 'newest' }}
      />
      {page.items.length === 0 ? <EmptyState title={`No ${kind} match these filters`} /> : table}
      <Pagination page={page} paging={paging} path={path} query={{ search, storage, sort }} />
    </>
  );
}

const GROUP_COLUMNS = [
  { label: 'Group' },
  { label: 'Visibility' },
  { label: 'Projects', align: 'end' },
  { label: 'Members', align: 'end' },
  { label: 'Storage' },
  { label: 'Created' },
  { label: 'Links', hidden: true },
] as const;

interface GroupsTableProps {
  groups: readonly GroupRow[];
  counts: ReadonlyMap<number, GroupCounts>;
}

function GroupsTable({ groups, counts }: GroupsTableProps): VNode {
  return (
    <Card flush>
      <Table caption="Groups" columns={[...GROUP_COLUMNS]} stacked>
        {groups.map((group) => (
          <tr key={group.id}>
            <Cell>
              <Person
                name={group.fullName}
                owner={group}
                kind="group"
                href={`/groups/${group.fullPath}`}
                detail={group.fullPath}
              />
            </Cell>
            <Cell>
              <VisibilityBadge level={group.visibility} />
            </Cell>
            <Cell align="end" label="Projects">
              {counts.get(group.id)?.projects ?? 0}
            </Cell>
            <Cell align="end" label="Members">
              {counts.get(group.id)?.members ?? 0}
            </Cell>
            <Cell label="Storage">{group.repositoryStorage}</Cell>
            <Cell label="Created">
              <Time value={group.createdAt} />
            </Cell>
            <Links base={`/groups/${group.fullPath}/-`} members="group_members" />
          </tr>
        ))}
      </Table>
    </Card>
  );
}

const PROJECT_COLUMNS = [
  { label: 'Project' },
  { label: 'Visibility' },
  { label: 'Storage' },
  { label: 'Created' },
  { label: 'Last activity' },
  { label: 'Links', hidden: true },
];

function ProjectsTable({ projects }: { projects: readonly ProjectRow[] }): VNode {
  return (
    <Card flush>
      <Table caption="Projects" columns={PROJECT_COLUMNS} stacked>
        {projects.map((project) => (
          <tr key={project.id}>
            <Cell>
              <Person
                name={project.name}
                owner={project}
                kind="project"
                href={`/${fullPathOf(project)}`}
                detail={fullPathOf(project)}
              />
            </Cell>
            <Cell>
              <span class="inline-flex gap-1">
                <VisibilityBadge level={project.visibility} />
                {project.archived && <Badge tone="warning">Archived</Badge>}
              </span>
            </Cell>
            <Cell label="Storage">
              {project.repositoryStorage}
              {project.repositoryReadOnly && <Badge tone="info">Moving</Badge>}
            </Cell>
            <Cell label="Created">
              <Time value={project.createdAt} />
            </Cell>
            <Cell label="Last activity">
              <Time value={project.lastActivityAt} />
            </Cell>
            <Links base={`/${fullPathOf(project)}/-`} members="project_members" />
          </tr>
        ))}
      </Table>
    </Card>
  );
}

/** Pages of a group or project. */
function Links({ base, members }: { base: string; members: string }): VNode {
  const link = (path: string, label: ComponentChildren): VNode => (
    <a href={`${base}/${path}`}>{label}</a>
  );
  return (
    <Cell align="end">
      <span class="inline-flex gap-3">
        {link(members, 'Members')}
        {link('audit_events', 'Audit log')}
        {link('edit', 'Settings')}
      </span>
    </Cell>
  );
}
