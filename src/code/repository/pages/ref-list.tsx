import type { ComponentChildren, VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import { ItemList } from '../../../core/ui/components/item-list.js';
import { ListFilters } from '../../../core/ui/components/list-filters.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { ReferenceTabs } from './code-frame.js';
import { REF_ORDER_CHOICES } from './ref-list.dto.js';

/** Filters of a branch or tag list. */
export interface RefListQuery {
  search: string;
  sort: string;
}

interface RefListProps {
  project: ProjectRow;
  /** `branches` or `tags`. */
  kind: string;
  path: string;
  page: Page<unknown>;
  paging: { page: number; perPage: number };
  query: RefListQuery;
  /** The items of the list. */
  children: ComponentChildren;
}

/** Filters, items and pages of a list of branches or tags. */
export function RefList(props: RefListProps): VNode {
  const { project, kind, path, page, paging, query, children } = props;
  return (
    <>
      <ReferenceTabs project={project} current={path} />
      <ListFilters
        path={path}
        label={`Find ${kind}`}
        search={query.search}
        orders={REF_ORDER_CHOICES}
        order={query.sort}
      />
      {page.items.length === 0 ? (
        <EmptyState title={query.search === '' ? `No ${kind} yet` : `No ${kind} of this name`} />
      ) : (
        <Card flush>
          <ItemList label={kind === 'tags' ? 'Tags' : 'Branches'}>{children}</ItemList>
        </Card>
      )}
      <Pagination page={page} paging={paging} path={path} query={{ ...query }} />
    </>
  );
}
