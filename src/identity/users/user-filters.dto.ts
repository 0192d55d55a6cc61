import { BooleanParam, DateTimeParam, TextParam } from '../../core/params/params.decorator.js';
import type { UserState } from './user.entity.js';

/** The tabs above the list of users. */
export const USER_FILTERS = [
  'people',
  'admins',
  'pending',
  'blocked',
  'banned',
  'deactivated',
  'bots',
] as const;
export type UserFilter = (typeof USER_FILTERS)[number];

export const FILTER_LABELS: Record<UserFilter, string> = {
  people: 'People',
  admins: 'Administrators',
  pending: 'Waiting for approval',
  blocked: 'Blocked',
  banned: 'Banned',
  deactivated: 'Deactivated',
  bots: 'Bots',
};

/** Returns the filters of each tab of the list of users. */
export function conditionsOf(filter: UserFilter): Partial<ListUsersDto> & { state?: UserState } {
  if (filter === 'people') return { humans: true };
  if (filter === 'admins') return { admins: true };
  if (filter === 'bots') return { exclude_humans: true };
  return { humans: true, state: filter };
}

const USER_ORDERS = ['id', 'name', 'username', 'created_at', 'updated_at'] as const;

/**
 * Filters of `GET /users`. A boolean filter counts only when true. From anyone but administrators
 * those that are for them are dropped.
 */
export class ListUsersDto {
  /** Only the user with this name, case-insensitive. */
  @TextParam()
  username?: string | null;

  /** Part of name or username, or a complete email address. */
  @TextParam()
  search?: string | null;

  /** ID at another provider; with `provider`, for administrators. */
  @TextParam()
  extern_uid?: string | null;

  /** Provider of `extern_uid`. */
  @TextParam()
  provider?: string | null;

  /** true: only active users. */
  @BooleanParam()
  active?: boolean | null;

  /** true: only blocked users. */
  @BooleanParam()
  blocked?: boolean | null;

  /** true: only external users. */
  @BooleanParam()
  external?: boolean | null;

  /** true: excludes bots and internal users. */
  @BooleanParam()
  humans?: boolean | null;

  /** true: only administrators. */
  @BooleanParam()
  admins?: boolean | null;

  /** true: excludes active users. */
  @BooleanParam()
  exclude_active?: boolean | null;

  /** true: excludes external users. */
  @BooleanParam()
  exclude_external?: boolean | null;

  /** true: only bots and internal users. */
  @BooleanParam()
  exclude_humans?: boolean | null;

  /** true: excludes internal users. */
  @BooleanParam()
  exclude_internal?: boolean | null;

  /** true: excludes bots of project and group access tokens. */
  @BooleanParam()
  without_project_bots?: boolean | null;

  /** Only users created after this time; administrators only. */
  @DateTimeParam()
  created_after?: Date | null;

  /** Only users created before this time; administrators only. */
  @DateTimeParam()
  created_before?: Date | null;

  /** Sort column, `id` by default; administrators only. */
  @TextParam({ values: USER_ORDERS })
  order_by?: (typeof USER_ORDERS)[number] | null;

  /** Direction of the order, `desc` by default; administrators only. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;

  /** Only users with or without a second factor; administrators only. */
  @TextParam({ values: ['enabled', 'disabled'] })
  two_factor?: 'enabled' | 'disabled' | null;

  /** true: only users without membership in any project; administrators only. */
  @BooleanParam()
  without_projects?: boolean | null;
}

/** Orders of the administrators' list of users: their label and their parameters. */
export const USER_LIST_ORDERS = {
  newest: { label: 'Newest', order_by: 'created_at', sort: 'desc' },
  oldest: { label: 'Oldest', order_by: 'created_at', sort: 'asc' },
  updated: { label: 'Recently updated', order_by: 'updated_at', sort: 'desc' },
  name: { label: 'Name', order_by: 'name', sort: 'asc' },
  username: { label: 'Username', order_by: 'username', sort: 'asc' },
} as const;
type UserListOrder = keyof typeof USER_LIST_ORDERS;

/** Query parameters of the administrators' list of users. */
export class ListUserPageDto {
  /** Which tab; everyone who is a person unless given. */
  @TextParam({ values: USER_FILTERS })
  filter?: UserFilter | null;

  /** Part of name or username, or a complete email address. */
  @TextParam()
  search?: string | null;

  /** Order of the list, `newest` by default. */
  @TextParam({ values: Object.keys(USER_LIST_ORDERS) as UserListOrder[] })
  sort?: UserListOrder | null;
}
