import { Controller, Get, Param } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../core/access/access.decorator.js';
import { type Viewer, CurrentUser } from '../../core/access/auth-context.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import type { Page as Listed } from '../../core/pagination/page.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { FilterBar } from '../../core/ui/components/filter-bar.js';
import { Pagination } from '../../core/ui/components/list.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { ProfileActivity } from '../../events/pages/feed-reader.service.js';
import { ListPageDto, ORDER_CHOICES, ORDER_PARAMS } from '../../workspace/groups/group.dto.js';
import { GroupsRepository } from '../../workspace/groups/groups.repository.js';
import { GroupTable } from '../../workspace/groups/pages/group-table.js';
import { ProjectTable } from '../../workspace/projects/pages/project-table.js';
import {
  ProjectsRepository,
  type ProjectRow,
  fullPathOf,
} from '../../workspace/projects/projects.repository.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { SnippetTable } from '../../workspace/snippets/pages/snippets.page.js';
import { SnippetsRepository } from '../../workspace/snippets/snippets.repository.js';
import { NotFoundError } from '../../core/errors.js';
import { canInGroup } from '../../identity/members/abilities.js';
import { presentUser, type UserDetails } from '../../identity/users/user.presenter.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { UserPage } from './user.page.js';
import { Avatar } from '../../core/ui/components/avatar.js';

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
    @Input() { search = null, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'newest';
    const filters = { search, ...ORDER_PARAMS[order] };
    const page = await this.projects.list({ filters, viewer: pageContext.viewer }, paging);
    const table = ProjectTable({ caption: 'Projects', projects: page.items });
    const shown = { search: search ?? '', order };
    return explore(pageContext, { kind: 'projects', page, paging, filters: shown, table });
  }

  /** Lists the groups that the viewer can see. */
  @Get('groups')
  async listGroups(
    @Context() pageContext: PageContext,
    @Input() { search = null, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'name';
    const filters = { search, ...ORDER_PARAMS[order] };
    const page = await this.groups.list({ filters, viewer: pageContext.viewer }, paging);
    const table = GroupTable({ caption: 'Groups', groups: page.items });
    const shown = { search: search ?? '', order };
    return explore(pageContext, { kind: 'groups', page, paging, filters: shown, table });
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
    return explore(pageContext, { kind: 'snippets', page, paging, filters: null, table });
  }
}

function explore(pageContext: PageContext, list: ExploreProps): HttpResponse {
  return pageContext.render(ExplorePage(list), { title: `Explore ${list.kind}`, nav: 'explore' });
}

/** Page at a single name in the path: a user or a group. */
@Controller(atRoot(':username'))
@Page('anyone')
export class PeoplePagesController {
  constructor(
    private readonly users: UsersRepository,
    private readonly groups: GroupsRepository,
    private readonly projects: ProjectsRepository,
    private readonly activity: ProfileActivity,
  ) {}

  /** Shows the user with what they do and the projects of theirs that the viewer can see. */
  @Get()
  async show(
    @Context() pageContext: PageContext,
    @Param('username') name: string,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer, baseUrl } = pageContext;
    const user = await this.users.findByUsername(name);
    if (user === null) return pageContext.redirect(await this.groupAddress(name, viewer));
    const page = await this.projectsOf(user, viewer, paging);
    const content = UserPage({
      viewer,
      user: presentUser(user, baseUrl),
      avatar: user.avatar,
      activity: await this.activity.of(user, viewer),
      page,
      paging,
    });
    return pageContext.render(content, { title: user.name });
  }

  /** Address of the group with this name; 404 when the viewer sees none. */
  private async groupAddress(name: string, viewer: Viewer | null): Promise<string> {
    const found = await this.groups.findByIdOrPath({ path: name }, viewer?.id ?? null);
    const isSeen = found !== null && canInGroup('read_group', { ...found.group, viewer });
    if (!isSeen) throw new NotFoundError();
    return `/groups/${found.group.fullPath}`;
  }

  private projectsOf(
    { namespaceId }: UserDetails,
    viewer: Viewer | null,
    paging: Paging,
  ): Promise<Listed<ProjectRow>> {
    const nothing = { items: [], hasNext: false, total: 0 };
    if (namespaceId === null) return Promise.resolve(nothing);
    const scope = { namespaceId };
    return this.projects.list(
      { filters: { order_by: 'name', sort: 'asc' }, viewer, scope },
      paging,
    );
  }
}

/** A list to explore. */
interface ExploreProps {
  kind: 'projects' | 'groups' | 'snippets';
  page: Listed<unknown>;
  paging: { page: number; perPage: number };
  /** null where there is nothing to search or to order by. */
  filters: { search: string; order: string } | null;
  /** The list itself. */
  table: VNode;
}

const PATHS = { projects: '/explore', groups: '/explore/groups', snippets: '/explore/snippets' };

const TABS = [
  { label: 'Projects', href: PATHS.projects },
  { label: 'Groups', href: PATHS.groups },
  { label: 'Snippets', href: PATHS.snippets },
];

/** Everything that the viewer can see, whether they are a member or not. */
function ExplorePage({ kind, page, paging, filters, table }: ExploreProps): VNode {
  const path = PATHS[kind];
  const { search = '', order } = filters ?? {};
  return (
    <>
      <PageHeader
        title="Explore"
        description={`${kind.charAt(0).toUpperCase()}${kind.slice(1)} you can access`}
      />
      <Tabs label="Explore" items={TABS} current={path} />
      {filters !== null && (
        <FilterBar
          path={path}
          label={`Find ${kind}`}
          search={filters.search}
          sort={{ name: 'sort', options: ORDER_CHOICES, value: filters.order }}
        />
      )}
      {page.items.length === 0 ? (
        <EmptyState title={search === '' ? `No ${kind} yet` : `No ${kind} match your search`} />
      ) : (
        table
      )}
      <Pagination page={page} paging={paging} path={path} query={{ search, sort: order }} />
    </>
  );
}

const RECENT = 8;

/** The part of the project switcher that a script loads when it opens. */
@Controller(atRoot('-/switcher'))
@Page('signed_in')
export class SwitcherPagesController {
  constructor(private readonly projects: ProjectsRepository) {}

  /** Lists the viewer's projects with the latest activity. */
  @Get()
  async show(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const filters = { membership: true, order_by: 'last_activity_at' } as const;
    const projects = await this.projects.listFirst({ filters, viewer }, RECENT);
    return pageContext.fragment(<Projects projects={projects} />);
  }
}

function Projects({ projects }: { projects: ProjectRow[] }): VNode {
  return (
    <ul class="menu-part" aria-label="Recent projects">
      {projects.map((project) => (
        <li key={project.id}>
          <a href={`/${fullPathOf(project)}`} title={fullPathOf(project)}>
            <Avatar name={project.name} owner={project} kind="project" />
            <span class="truncate">{`${project.namespace.fullName} / ${project.name}`}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
