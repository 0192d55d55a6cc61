import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { Person } from '../../../core/ui/components/avatar.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Badge, EmptyState, PageHeader, type Tone } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/list.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { Time } from '../../../core/ui/components/time.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import {
  FILTER_LABELS,
  USER_FILTERS,
  USER_LIST_ORDERS,
  type ListUserPageDto,
  type UserFilter,
} from '../user-filters.dto.js';
import type { UserState } from '../user.entity.js';
import type { UserDetails } from '../user.presenter.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';

const PATH = '/admin/users';

const ORDERS = Object.entries(USER_LIST_ORDERS).map(([value, { label }]) => ({ value, label }));

const COLUMNS = [
  { label: 'User' },
  { label: 'State' },
  { label: 'Email' },
  { label: 'Created' },
  { label: 'Last activity' },
];

interface UserListPageProps {
  users: Page<UserDetails>;
  counts: Record<UserFilter, number>;
  query: ListUserPageDto;
  paging: Paging;
}

/** All users of the instance, by kind and state. */
export function UserListPage({ users, counts, query, paging }: UserListPageProps): VNode {
  const filter = query.filter ?? 'people';
  const { search, sort } = query;
  const addressOf = (name: UserFilter): string =>
    filledAddress(PATH, { filter: name, search, sort });
  return (
    <>
      <PageHeader title="Users" actions={<ButtonLink href={`${PATH}/new`}>New user</ButtonLink>} />
      <Tabs
        label="Kinds of users"
        items={USER_FILTERS.map((name) => ({
          label: FILTER_LABELS[name],
          href: addressOf(name),
          count: counts[name],
        }))}
        current={addressOf(filter)}
      />
      <FilterBar
        path={PATH}
        search={search}
        searchLabel="Name, username or email"
        sort={{ name: 'sort', options: ORDERS, value: sort }}
        kept={{ filter }}
      />
      {users.items.length === 0 ? (
        <EmptyState title="No users match these filters" />
      ) : (
        <Table caption="Users" columns={COLUMNS} stacked>
          {users.items.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </Table>
      )}
      <Pagination page={users} paging={paging} path={PATH} query={{ filter, search, sort }} />
    </>
  );
}

function UserRow({ user }: { user: UserDetails }): VNode {
  return (
    <tr>
      <Cell>
        <Person
          name={user.name}
          owner={user}
          href={`${PATH}/${user.id}`}
          detail={`@${user.username}`}
        />
      </Cell>
      <Cell>
        <UserBadges user={user} />
      </Cell>
      <Cell>{user.email}</Cell>
      <Cell label="Created">
        <Time value={user.createdAt} />
      </Cell>
      <Cell label="Last activity">
        <Time value={user.lastActivityOn} />
      </Cell>
    </tr>
  );
}

const STATES: Record<UserState, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  pending: { label: 'Waiting for approval', tone: 'warning' },
  blocked: { label: 'Blocked', tone: 'danger' },
  banned: { label: 'Banned', tone: 'danger' },
  deactivated: { label: 'Deactivated', tone: 'neutral' },
};

/** State and rights of a user in a few words. */
export function UserBadges({ user }: { user: UserDetails }): VNode {
  const { label, tone } = STATES[user.state];
  return (
    <span class="flex flex-wrap gap-1">
      <Badge tone={tone}>{label}</Badge>
      {user.admin && <Badge tone="info">Administrator</Badge>}
      {user.external && <Badge>External</Badge>}
      {user.userType === 'project_bot' && <Badge>Bot</Badge>}
      {user.userType === 'internal' && <Badge>Internal</Badge>}
    </span>
  );
}
