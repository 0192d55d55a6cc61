import { presentUserBasic, type UserBasicJson, type UserBasics } from '../users/user.presenter.js';

/** A membership joined with its user and whoever added them. */
export interface MemberRow extends UserBasics {
  accessLevel: number;
  createdAt: Date;
  expiresAt: string | null;
  creator: UserBasics | null;
}

export interface MemberJson extends UserBasicJson {
  access_level: number;
  created_at: string;
  expires_at: string | null;
  created_by?: UserBasicJson;
  membership_state: 'active';
}

/** A member as the listings show them: the user with their level (API doc, members). */
export function presentMember(row: MemberRow, baseUrl: string): MemberJson {
  const { creator } = row;
  return {
    ...presentUserBasic(row, baseUrl),
    access_level: row.accessLevel,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt,
    ...(creator !== null && { created_by: presentUserBasic(creator, baseUrl) }),
    membership_state: 'active',
  };
}
