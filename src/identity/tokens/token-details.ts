import type { AccessToken, TokenKind } from './access-token.entity.js';

/** Kinds that people see in lists and can revoke; job and OAuth tokens have lives of their own. */
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

/** Kinds that users manage for themselves; tokens made to impersonate them are not theirs. */
export const OWN_KINDS = MANAGED_KINDS.filter((kind) => kind !== 'impersonation');

/** Returns true if tokens of this kind can be listed, revoked and rotated. */
export function isManaged(kind: string): kind is (typeof MANAGED_KINDS)[number] {
  return (MANAGED_KINDS as readonly string[]).includes(kind);
}

/** Whose audit log a token belongs to: its project's, its group's or its user's. */
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

/** Returns the id of the first token of the rotation chain that the token belongs to. */
export function familyOf(token: { id: number; familyId: number | null }): number {
  return token.familyId ?? token.id;
}
