import type { ItemFormat } from '../../core/sql/json-pages.service.js';
import {
  presentUserBasic,
  type UserBasicResponse,
  type UserBasics,
} from '../users/user.presenter.js';
import type { AccessLevel } from './roles.js';

/** Membership joined with its user and the user who added them. */
export interface MemberRow extends UserBasics {
  accessLevel: AccessLevel;
  createdAt: Date;
  expiresAt: string | null;
  creator: UserBasics | null;
  /** Group of the membership; null for a project's own. */
  groupId: number | null;
  groupPath: string | null;
  groupName: string | null;
}

/** Member of a project or group. */
export interface MemberResponse extends UserBasicResponse {
  /** 10 Guest, 15 Planner, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. */
  access_level: AccessLevel;
  /** @format date-time */
  created_at: string;
  /**
   * Expiry date of the membership; null = none.
   * @format date
   * @example "2027-01-31"
   */
  expires_at: string | null;
  /** User who added the member; absent if unknown. */
  created_by?: UserBasicResponse;
  membership_state: 'active';
}

/** The form of members in a list. */
export function memberFormat(baseUrl: string): ItemFormat<MemberResponse, MemberRow, object> {
  return {
    name: 'member',
    form: () => '',
    present: (row) => presentMember(row, baseUrl),
    presentFresh: () => ({}),
  };
}

/** A member as the listings show them: the user with their level (API doc, members). */
export function presentMember(row: MemberRow, baseUrl: string): MemberResponse {
  const { creator } = row;
  return Object.assign(presentUserBasic(row, baseUrl), {
    access_level: row.accessLevel,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt,
    created_by: creator === null ? undefined : presentUserBasic(creator, baseUrl),
    membership_state: 'active' as const,
  });
}
