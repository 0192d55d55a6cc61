import type { VNode } from 'preact';
import type { Page as Listed } from '../../core/pagination/page.js';
import { EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { FilterBar } from '../../core/ui/components/filter-bar.js';
import { Pagination } from '../../core/ui/components/list.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { ORDER_CHOICES } from '../../workspace/groups/pages/container-list.js';

/** A list to explore. */
export interface ExploreProps {
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
