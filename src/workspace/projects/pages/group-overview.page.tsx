import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { EmptyState } from '../../../core/ui/components/content.js';
import { ListFilters } from '../../../core/ui/components/list-filters.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { GroupRow } from '../../groups/groups.repository.js';
import { GroupFrame } from '../../groups/pages/group-frame.js';
import { ORDER_CHOICES } from '../../groups/pages/list-page.dto.js';
import { canInGroup } from '../../../identity/members/abilities.js';

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
export function GroupOverviewPage(props: GroupOverviewProps): VNode {
  const { pageContext, group, kind, page, paging, search, order, table } = props;
  const base = `/groups/${group.fullPath}`;
  const path = kind === 'projects' ? base : `${base}/-/subgroups`;
  const tabs = [
    { label: 'Projects', href: base },
    { label: 'Subgroups', href: `${base}/-/subgroups` },
  ];
  const actions = <GroupActions pageContext={pageContext} group={group} />;
  return (
    <GroupFrame group={group} viewer={pageContext.viewer} current="overview" actions={actions}>
      <Tabs label="Content" items={tabs} current={path} variant="pills" />
      <ListFilters
        path={path}
        label={`Find ${kind}`}
        search={search}
        orders={ORDER_CHOICES}
        order={order}
      />
      {page.items.length === 0 ? <EmptyState title={emptyTitle(kind, search)} /> : table}
      <Pagination page={page} paging={paging} path={path} query={{ search, sort: order }} />
    </GroupFrame>
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
