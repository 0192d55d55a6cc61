import { Injectable } from '@nestjs/common';
import { credentialDigest } from '../core/digest.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { Sql } from '../core/sql/sql.service.js';
import type { UserState, UserType } from '../users/user.entity.js';
import type { TokenKind } from './access-token.entity.js';
import { CredentialCache } from './credential-cache.service.js';
import type { Credential } from '../core/access/viewer.js';

interface CredentialRow {
  token_id: number;
  kind: TokenKind;
  scopes: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  project_id: number | null;
  created_at: Date;
  application_uid: string | null;
  user_id: number;
  username: string;
  name: string;
  email: string;
  avatar: string | null;
  admin: boolean;
  external: boolean;
  state: UserState;
  user_type: UserType;
  confirmed: boolean;
}

const CREDENTIAL_SQL = `
  SELECT t.id AS token_id, t.kind, t.scopes, t.expires_at, t.revoked_at, t.project_id,
         t.created_at, a.uid AS application_uid,
         u.id AS user_id, u.username, u.name, u.email, u.avatar, u.admin, u.external, u.state,
         u.user_type,
         u.confirmed_at IS NOT NULL AS confirmed
  FROM access_tokens t JOIN users u ON u.id = t.user_id
  LEFT JOIN oauth_applications a ON a.id = t.application_id
  WHERE t.digest = $1`;

/** Finds who presents a raw token: one query, or none when the answer is cached. */
@Injectable()
export class TokenLookup {
  constructor(
    private readonly sql: Sql,
    private readonly cache: CredentialCache,
    private readonly settings: InstanceSettings,
  ) {}

  /** false for an impersonation token while impersonation is turned off. */
  accepts({ kind }: Credential): boolean {
    return kind !== 'impersonation' || this.settings.values.impersonation_enabled;
  }

  /** The credential of any kind and state, or null for an unknown value. */
  async findAny(raw: string): Promise<Credential | null> {
    const digest = credentialDigest(raw);
    const key = digest.toString('hex');
    const cached = this.cache.get(key);
    if (cached !== undefined) return cached;
    const epoch = this.cache.epoch;
    const row = await this.sql.row<CredentialRow>(CREDENTIAL_SQL, [digest]);
    if (row === null) return null;
    const credential = toCredential(row);
    this.cache.set(key, credential, epoch);
    return credential;
  }
}

function toCredential(row: CredentialRow): Credential {
  return {
    tokenId: row.token_id,
    kind: row.kind,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    projectId: row.project_id,
    applicationUid: row.application_uid,
    createdAt: row.created_at,
    user: {
      id: row.user_id,
      username: row.username,
      name: row.name,
      email: row.email,
      avatar: row.avatar,
      admin: row.admin,
      external: row.external,
      state: row.state,
      userType: row.user_type,
      confirmed: row.confirmed,
    },
  };
}
