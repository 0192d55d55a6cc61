import type { AccessToken, TokenKind } from './access-token.entity.js';

/** Kinds that people see in lists and may revoke; job and OAuth tokens have lives of their own. */
export const MANAGED_KINDS = ['personal', 'impersonation', 'project', 'group'] as const;

/** A token's row as answers need it. */
export type TokenDetails = Omit<AccessToken, 'digest' | 'lastFour'> & {
  /** The newest first, at most five. */
  lastUsedIps: string[];
  /** Role of a resource token's bot; null for other kinds and for a bot that lost its membership. */
  accessLevel: number | null;
};

/** A token that has just been made: its row, and the raw value that is shown this once. */
export interface MintedToken {
  details: TokenDetails;
  raw: string;
}

/** Columns of TokenDetails; `t` is the token's row. */
export const TOKEN_COLUMNS = `
  t.id, t.kind, t.user_id AS "userId", t.name, t.description, t.scopes,
  t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt", t.last_used_at AS "lastUsedAt",
  t.project_id AS "projectId", t.group_id AS "groupId", t.family_id AS "familyId",
  t.previous_id AS "previousId", t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  ARRAY(SELECT host(i.ip) FROM access_token_ips i WHERE i.token_id = t.id
        ORDER BY i.seen_at DESC, i.ip LIMIT 5) AS "lastUsedIps",
  (SELECT m.access_level FROM members m
   WHERE m.user_id = t.user_id AND t.kind IN ('project', 'group')
     AND (m.project_id = t.project_id OR m.namespace_id = t.group_id)) AS "accessLevel"`;

/** Whether a token of this kind may be listed, revoked and rotated. */
export function isManaged(kind: string): kind is (typeof MANAGED_KINDS)[number] {
  return (MANAGED_KINDS as readonly string[]).includes(kind);
}

/** Whose audit trail a token belongs to: its project's, its group's or its user's. */
export function trailOf(token: {
  kind: TokenKind;
  userId: number;
  projectId: number | null;
  groupId: number | null;
}): { type: 'User' | 'Group' | 'Project'; id: number } {
  if (token.projectId !== null) return { type: 'Project', id: token.projectId };
  if (token.groupId !== null) return { type: 'Group', id: token.groupId };
  return { type: 'User', id: token.userId };
}
