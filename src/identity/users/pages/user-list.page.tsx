import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Badge, EmptyState, PageHeader, type Tone } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { Time } from '../../../core/ui/components/time.js';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import {
  FILTER_LABELS,
  USER_FILTERS,
  type ListUserPageDto,
  type UserFilter,
} from '../user-filters.dto.js';
import type { UserState } from '../user.entity.js';
import type { UserDetails } from '../user.presenter.js';
import { FilterForm } from '../../../core/ui/components/filter-form.js';

const PATH = '/admin/users';

const ORDERS = [
  { value: 'created_at', label: 'Created' },
  { value: 'updated_at', label: 'Changed' },
  { value: 'name', label: 'Name' },
  { value: 'username', label: 'Username' },
];
const DIRECTIONS = [
  { value: 'desc', label: 'Descending' },
  { value: 'asc', label: 'Ascending' },
];

const COLUMNS = [
  { label: 'User' },
  { label: 'State' },
  { label: 'E-mail address' },
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
  const kept = { search: query.search, order_by: query.order_by, sort: query.sort };
  return (
    <>
      <PageHeader title="Users" actions={<ButtonLink href={`${PATH}/new`}>New user</ButtonLink>} />
      <Tabs
        label="Kinds of users"
        items={USER_FILTERS.map((name) => ({
          label: FILTER_LABELS[name],
          href: `${PATH}?filter=${name}`,
          count: counts[name],
        }))}
        current={`${PATH}?filter=${filter}`}
      />
      <Search query={query} filter={filter} />
      {users.items.length === 0 ? (
        <EmptyState title="No users here">No users match these filters.</EmptyState>
      ) : (
        <Table caption="Users" columns={COLUMNS}>
          {users.items.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </Table>
      )}
      <Pagination page={users} paging={paging} path={PATH} query={{ filter, ...kept }} />
    </>
  );
}

function Search({ query, filter }: { query: ListUserPageDto; filter: UserFilter }): VNode {
  return (
    <FilterForm action={PATH} label="Search users">
      <input type="hidden" name="filter" value={filter} />
      <TextField name="search" label="Name or email" type="search" value={query.search} bare />
      <SelectField
        name="order_by"
        label="Order by"
        options={ORDERS}
        value={query.order_by ?? 'created_at'}
        bare
      />
      <SelectField
        name="sort"
        label="Direction"
        options={DIRECTIONS}
        value={query.sort ?? 'desc'}
        bare
      />
      <Button variant="outline">Search</Button>
    </FilterForm>
  );
}

function UserRow({ user }: { user: UserDetails }): VNode {
  return (
    <tr>
      <Cell wrap>
        <a href={`${PATH}/${user.id}`}>{user.name}</a>
        <span class="text-muted-foreground block">@{user.username}</span>
      </Cell>
      <Cell>
        <UserBadges user={user} />
      </Cell>
      <Cell>{user.email}</Cell>
      <Cell>
        <Time value={user.createdAt} />
      </Cell>
      <Cell>
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
