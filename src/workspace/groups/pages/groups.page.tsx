import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { ListFilters } from '../../../core/ui/components/list-filters.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import type { GroupRow } from '../groups.repository.js';
import { GroupTable } from './group-table.js';
import { ORDER_CHOICES } from './list-page.dto.js';

interface GroupsPageProps {
  page: Page<GroupRow>;
  paging: { page: number; perPage: number };
  search: string;
  order: string;
  mayCreate: boolean;
}

const PATH = '/dashboard/groups';

/** The groups that the viewer is a member of. */
export function GroupsPage({ page, paging, search, order, mayCreate }: GroupsPageProps): VNode {
  const create = mayCreate && <ButtonLink href="/groups/new">New group</ButtonLink>;
  const query = { search, sort: order };
  return (
    <>
      <PageHeader title="Your groups" actions={create} />
      <ListFilters
        path={PATH}
        label="Find groups"
        search={search}
        orders={ORDER_CHOICES}
        order={order}
      />
      {page.items.length === 0 ? (
        <NoGroups search={search} />
      ) : (
        <GroupTable caption="Your groups" groups={page.items} />
      )}
      <Pagination page={page} paging={paging} path={PATH} query={query} />
    </>
  );
}

function NoGroups({ search }: { search: string }): VNode {
  if (search !== '') return <EmptyState title="No group has such a name" />;
  return (
    <EmptyState title="You are not a member of any group yet">
      A group holds projects and says who works on them.
    </EmptyState>
  );
}
