import type { ListUsersDto } from '../dto/list-users.dto.js';
import type { UserState } from '../user.entity.js';

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
