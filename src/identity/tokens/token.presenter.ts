import { dayOf } from './token-expiry.service.js';
import type { AccessToken } from './access-token.entity.js';

/** A token's row for responses. */
export type TokenDetails = Omit<AccessToken, 'digest' | 'lastFour'> & {
  /** At most five, newest first. */
  lastUsedIps: string[];
  /** Role of a resource token's bot; null for other kinds and for a bot that lost its membership. */
  accessLevel: number | null;
};

/** A new token with its raw value, which is shown only once. */
export interface MintedToken {
  details: TokenDetails;
  raw: string;
}

/** An access token without its value. */
export interface TokenResponse {
  id: number;
  /** @example "laptop" */
  name: string;
  /** True if the token was revoked. */
  revoked: boolean;
  created_at: string;
  description: string | null;
  /** @example ["read_api", "self_rotate"] */
  scopes: string[];
  /** User of the token. */
  user_id: number;
  /** Time of the last use, with a precision of ten minutes. */
  last_used_at: string | null;
  /** Last five IP addresses, newest first. */
  last_used_ips: string[];
  /** True if the token is neither revoked nor expired. */
  active: boolean;
  /**
   * Expiry date, at 00:00 UTC.
   * @example "2030-01-31"
   */
  expires_at: string | null;
  /** True for impersonation tokens. */
  impersonation?: true;
  /** Role of a project or group token. */
  access_level?: number;
  /** Kind of the resource that a project or group token belongs to. */
  resource_type?: 'project' | 'group';
  /** ID of the resource. */
  resource_id?: number;
}

/** New access token. */
export interface NewTokenResponse extends TokenResponse {
  /**
   * Token value, shown only once.
   * @example "svcpat-0123456789abcdefghijklmnopqrstuv"
   */
  token: string;
}

/** Returns a token without its value. */
export function presentToken(token: TokenDetails, now: Date): TokenResponse {
  const isExpired = token.expiresAt !== null && token.expiresAt <= now;
  return {
    id: token.id,
    name: token.name,
    revoked: token.revokedAt !== null,
    created_at: token.createdAt.toISOString(),
    description: token.description || null,
    scopes: token.scopes,
    user_id: token.userId,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    last_used_ips: token.lastUsedIps,
    active: token.revokedAt === null && !isExpired,
    expires_at: token.expiresAt === null ? null : dayOf(token.expiresAt),
    ...(token.kind === 'impersonation' && { impersonation: true }),
    ...resourceOf(token),
  };
}

/** Returns a new token with its value. */
export function presentNewToken({ details, raw }: MintedToken, now: Date): NewTokenResponse {
  return Object.assign(presentToken(details, now), { token: raw });
}

function resourceOf({ projectId, groupId, accessLevel }: TokenDetails): Partial<TokenResponse> {
  if (projectId === null && groupId === null) return {};
  return {
    ...(accessLevel !== null && { access_level: accessLevel }),
    resource_type: projectId === null ? 'group' : 'project',
    resource_id: (projectId ?? groupId) as number,
  };
}
