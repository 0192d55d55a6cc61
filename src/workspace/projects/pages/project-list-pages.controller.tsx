import { Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import type { Page as ListPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Input } from '../../../core/params/input.decorator.js';
import { Pagination } from '../../../core/ui/components/list.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { ORDER_PARAMS, ListPageDto, ORDER_CHOICES } from '../../groups/group.dto.js';
import { ProjectsRepository, type ProjectRow } from '../projects.repository.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { ProjectTable } from './project-table.js';

/** The viewer's own projects. */
@Controller(atRoot('dashboard/projects'))
@Page('signed_in')
export class ProjectListPagesController {
  constructor(private readonly projects: ProjectsRepository) {}

  /** Lists the projects that the viewer is a member of. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() { search, sort }: ListPageDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const order = sort ?? 'newest';
    const filters = { search: search ?? null, membership: true, ...ORDER_PARAMS[order] };
    const page = await this.projects.list({ filters, viewer }, paging);
    const content = ProjectsPage({ page, paging, search: search ?? '', order });
    return pageContext.render(content, { title: 'Projects', nav: 'projects' });
  }
}

interface ProjectsPageProps {
  page: ListPage<ProjectRow>;
  paging: { page: number; perPage: number };
  search: string;
  order: string;
}

const PATH = '/dashboard/projects';

/** The projects that the viewer is a member of. */
function ProjectsPage({ page, paging, search, order }: ProjectsPageProps): VNode {
  return (
    <>
      <PageHeader
        title="Your projects"
        actions={<ButtonLink href="/projects/new">New project</ButtonLink>}
      />
      <FilterBar
        path={PATH}
        label="Find projects"
        search={search}
        sort={{ name: 'sort', options: ORDER_CHOICES, value: order }}
      />
      {page.items.length === 0 ? (
        <NoProjects search={search} />
      ) : (
        <ProjectTable caption="Your projects" projects={page.items} />
      )}
      <Pagination page={page} paging={paging} path={PATH} query={{ search, sort: order }} />
    </>
  );
}

function NoProjects({ search }: { search: string }): VNode {
  if (search !== '') return <EmptyState title="No projects match your search" />;
  return (
    <EmptyState
      title="You are not a member of any project yet"
      action={
        <ButtonLink href="/explore" variant="outline">
          Explore public projects
        </ButtonLink>
      }
    >
      A project brings together a Git repository, issues, merge requests, alerts and errors.
    </EmptyState>
  );
}
