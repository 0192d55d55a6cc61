import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { ListFilters } from '../../../core/ui/components/list-filters.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { ORDER_CHOICES } from '../../groups/pages/list-page.dto.js';
import type { ProjectRow } from '../projects.repository.js';
import { ProjectTable } from './project-table.js';

interface ProjectsPageProps {
  page: Page<ProjectRow>;
  paging: { page: number; perPage: number };
  search: string;
  order: string;
}

const PATH = '/dashboard/projects';

/** The projects that the viewer is a member of. */
export function ProjectsPage({ page, paging, search, order }: ProjectsPageProps): VNode {
  return (
    <>
      <PageHeader
        title="Your projects"
        actions={<ButtonLink href="/projects/new">New project</ButtonLink>}
      />
      <ListFilters
        path={PATH}
        label="Find projects"
        search={search}
        orders={ORDER_CHOICES}
        order={order}
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
  if (search !== '') return <EmptyState title="No project has such a name" />;
  return (
    <EmptyState
      title="You are not a member of any project yet"
      action={<ButtonLink href="/explore">Explore public projects</ButtonLink>}
    >
      A project is a Git repository with its members, snippets and issues.
    </EmptyState>
  );
}
