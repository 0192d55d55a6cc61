import type { VNode } from 'preact';
import type { Viewer } from '../../core/access/viewer.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../core/ui/components/content.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { GroupTable } from '../../workspace/groups/pages/group-table.js';
import { ProjectTable } from '../../workspace/projects/pages/project-table.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { Page } from '../../core/pagination/page.js';
import { ListFilters } from '../../core/ui/components/list-filters.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { ORDER_CHOICES } from '../../workspace/groups/pages/list-page.dto.js';

interface DashboardProps {
  viewer: Viewer;
  /** Those with the latest activity. */
  projects: ProjectRow[];
  groups: GroupRow[];
  mayCreateGroups: boolean;
}

/** Dashboard: the user's projects and groups. */
export function DashboardPage({
  viewer,
  projects,
  groups,
  mayCreateGroups,
}: DashboardProps): VNode {
  const actions = (
    <>
      <ButtonLink href="/dashboard/activity" variant="outline">
        Activity
      </ButtonLink>
      {mayCreateGroups && (
        <ButtonLink href="/groups/new" variant="outline">
          New group
        </ButtonLink>
      )}
      <ButtonLink href="/projects/new">New project</ButtonLink>
    </>
  );
  return (
    <>
      <PageHeader title="Dashboard" description={`Welcome, ${viewer.name}.`} actions={actions} />
      <section class="flex min-w-0 flex-col gap-3">
        <SectionHeading
          title="Recently active projects"
          all={{ label: 'All your projects', href: '/dashboard/projects' }}
        />
        {projects.length === 0 ? (
          <NoProjects />
        ) : (
          <ProjectTable caption="Recently active projects" projects={projects} />
        )}
      </section>
      <section class="flex min-w-0 flex-col gap-3">
        <SectionHeading
          title="Your groups"
          all={{ label: 'All your groups', href: '/dashboard/groups' }}
        />
        {groups.length === 0 ? (
          <EmptyState title="You are not a member of any group yet" />
        ) : (
          <GroupTable caption="Your groups" groups={groups} />
        )}
      </section>
    </>
  );
}

function NoProjects(): VNode {
  return (
    <EmptyState
      title="You are not a member of any project yet"
      action={
        <ButtonLink href="/explore" variant="outline">
          Explore projects
        </ButtonLink>
      }
    >
      Create a project or request access to an existing one.
    </EmptyState>
  );
}

interface SectionHeadingProps {
  title: string;
  /** Where the whole list is. */
  all: { label: string; href: string };
}

function SectionHeading({ title, all }: SectionHeadingProps): VNode {
  return (
    <div class="flex items-baseline justify-between gap-4">
      <h2 class="text-lg font-semibold">{title}</h2>
      <a class="text-primary text-sm underline underline-offset-2" href={all.href}>
        {all.label}
      </a>
    </div>
  );
}

/** A list to explore. */
export interface ExploreProps {
  kind: 'projects' | 'groups' | 'snippets';
  page: Page<unknown>;
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
export function ExplorePage({ kind, page, paging, filters, table }: ExploreProps): VNode {
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
        <ListFilters
          path={path}
          label={`Find ${kind}`}
          search={filters.search}
          orders={ORDER_CHOICES}
          order={filters.order}
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
