import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Scope } from '../core/access/scopes.js';
import { Clock } from '../core/clock.js';
import { credentialDigest } from '../core/secrets.js';
import { Sql } from '../core/sql/sql.service.js';
import { AccessToken } from '../identity/tokens/access-token.entity.js';
import {
  EXCHANGE_SQL,
  exchangeColumns,
  MINT_FOR_CLIENT_SQL,
  MINT_FOR_USER_SQL,
  REFRESH_SQL,
  refreshColumns,
  type CodeExchange,
  type CodeExchangeRequest,
  type Refresh,
  type RefreshRequest,
} from './sql/issue-tokens.js';
import {
  DELETE_CHUNK,
  DELETE_ENDED_SQL,
  FIND_SQL,
  HAS_SAME_SCOPES_SQL,
  NARROW_CODES_SQL,
  NARROW_TOKENS_SQL,
  REVOKE_FAMILY_SQL,
  REVOKE_OF_APPLICATION_SQL,
  REVOKE_OF_GRANT_SQL,
} from './sql/oauth-tokens.js';
import type { Ends, TokenPair } from './token-pair.js';

/** An OAuth token that was presented by either half of its pair. */
export interface FoundToken {
  id: number;
  /** null = token of an application without a user (client credentials). */
  userId: number | null;
  applicationId: number | null;
  /** The client_id; null if issued without one. */
  applicationUid: string | null;
  scopes: string[];
  /** First token of its chain of refreshes. */
  familyId: number;
  createdAt: Date;
  revokedAt: Date | null;
  /** The end of the half that was presented. */
  expiresAt: Date;
  /** True when the refresh token was presented. */
  isRefresh: boolean;
  /** True if the user is active; true for tokens without a user. */
  mayAct: boolean;
}

/** The scopes an application keeps. */
interface NarrowedApplication {
  id: number;
  scopes: readonly Scope[];
  now: Date;
}

/** A token that was revoked. */
export type RevokedToken = Pick<AccessToken, 'id' | 'digest'>;

/** The moment at which tokens are issued, and their ends. */
interface IssueTimes {
  now: Date;
  ends: Ends;
}

/** A code that was exchanged, or why it was not. */
type ExchangedCode = Omit<CodeExchange, 'issued'> & { isExchanged: boolean };

/** A refresh token that was rotated, or why it was not. */
type RotatedToken = Omit<Refresh, 'issued'> & {
  isRotated: boolean;
  digest: Buffer;
  refreshExpiresAt: Date;
};

/** Owns the statements about OAuth tokens, which are access tokens of their own kind. */
@Injectable()
export class OAuthTokensRepository extends Repository<AccessToken> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly clock: Clock,
  ) {
    super(AccessToken, dataSource.manager);
  }

  /** Returns the token with this raw value as either half, in any state, or null. */
  findPresented(raw: string): Promise<FoundToken | null> {
    return this.queries.lookUp<FoundToken>(FIND_SQL, [credentialDigest(raw)]);
  }

  /** Returns the token if it is active and its user can act, else null. */
  async findActive(raw: string): Promise<FoundToken | null> {
    const token = await this.findPresented(raw);
    if (token === null || token.revokedAt !== null || !token.mayAct) return null;
    return token.expiresAt > this.clock.now() ? token : null;
  }

  /** Returns true if the application has a token of the user with exactly these scopes. */
  async hasSameScopes(
    { applicationId, userId }: { applicationId: number; userId: number },
    scopes: readonly string[],
  ): Promise<boolean> {
    const found = await this.queries.row(HAS_SAME_SCOPES_SQL, [applicationId, userId, scopes]);
    return found !== null;
  }

  /** Exchanges codes for tokens; returns one row for each request in their order. */
  exchange(
    requests: readonly CodeExchangeRequest[],
    mustBeConfirmed: boolean,
    { now, ends }: IssueTimes,
  ): Promise<ExchangedCode[]> {
    const times = [ends.access, ends.refresh, ends.chain];
    const values = [now, mustBeConfirmed, ...times, ...exchangeColumns(requests)];
    return this.queries.rows<ExchangedCode>(EXCHANGE_SQL, values);
  }

  /** Rotates refresh tokens; returns one row for each request in their order. */
  refresh(
    requests: readonly RefreshRequest[],
    mustBeConfirmed: boolean,
    { now, ends }: IssueTimes,
  ): Promise<RotatedToken[]> {
    const values = [now, mustBeConfirmed, ends.access, ends.refresh, ...refreshColumns(requests)];
    return this.queries.rows<RotatedToken>(REFRESH_SQL, values);
  }

  /** Inserts a pair for a user; returns false when the password or the state has changed. */
  async addForUser(
    token: {
      userId: number;
      passwordDigest: string;
      applicationId: number | null;
      scopes: readonly string[];
      pair: TokenPair;
    },
    { now, ends }: IssueTimes,
  ): Promise<boolean> {
    const { userId, passwordDigest, applicationId, scopes, pair } = token;
    const row = await this.queries.row(MINT_FOR_USER_SQL, [
      now,
      passwordDigest,
      pair.digest,
      pair.refreshDigest,
      pair.lastFour,
      userId,
      applicationId,
      scopes,
      ends.access,
      ends.refresh,
      ends.chain,
    ]);
    return row !== null;
  }

  /** Inserts an access token of an application without a user. */
  async addForClient(
    {
      applicationId,
      scopes,
      pair,
    }: { applicationId: number; scopes: readonly string[]; pair: TokenPair },
    { now, ends }: IssueTimes,
  ): Promise<void> {
    const values = [now, pair.digest, pair.lastFour, applicationId, scopes, ends.access];
    await this.queries.rows(MINT_FOR_CLIENT_SQL, values);
  }

  /** Keeps tokens of the user from being issued until the transaction ends. */
  async lockOwner(manager: EntityManager, userId: number): Promise<void> {
    await manager.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
  }

  /** Returns the id of the first token of the rotation chain, or null without the token. */
  async findFamily(manager: EntityManager, tokenId: number): Promise<number | null> {
    const [row] = await manager.query<{ family: number }[]>(
      'SELECT coalesce(family_id, id) AS family FROM access_tokens WHERE id = $1',
      [tokenId],
    );
    return row?.family ?? null;
  }

  /** Revokes all tokens of the chain, with the job tokens that they created. */
  revokeFamily(manager: EntityManager, familyId: number, now: Date): Promise<RevokedToken[]> {
    return updated(manager, REVOKE_FAMILY_SQL, [familyId, now]);
  }

  /** Revokes all tokens that come from an authorization code. */
  revokeOfGrant(manager: EntityManager, grantId: number, now: Date): Promise<RevokedToken[]> {
    return updated(manager, REVOKE_OF_GRANT_SQL, [grantId, now]);
  }

  /** Revokes all tokens of a user for an application; returns their digests. */
  async revokeOfApplication(
    manager: EntityManager,
    { applicationId, userId }: { applicationId: number; userId: number },
    now: Date,
  ): Promise<Buffer[]> {
    const values = [applicationId, userId, now];
    const rows = await updated(manager, REVOKE_OF_APPLICATION_SQL, values);
    return rows.map(({ digest }) => digest);
  }

  /**
   * Removes an application's lost scopes from its codes and tokens and returns the digests of those
   * tokens. Requires a lock on the application's row, so that no token is issued meanwhile.
   */
  async narrow(
    manager: EntityManager,
    { id, scopes, now }: NarrowedApplication,
  ): Promise<Buffer[]> {
    const values = [id, scopes, now];
    await manager.query(NARROW_CODES_SQL, values);
    const tokens = await updated(manager, NARROW_TOKENS_SQL, values);
    return tokens.map(({ digest }) => digest);
  }

  /** Deletes some tokens that ended before the moment; returns true when there can be more. */
  async deleteEnded(before: Date): Promise<boolean> {
    return (await this.queries.rows(DELETE_ENDED_SQL, [before])).length === DELETE_CHUNK;
  }
}

async function updated(
  manager: EntityManager,
  statement: string,
  values: unknown[],
): Promise<RevokedToken[]> {
  const [rows] = await manager.query<[RevokedToken[], number]>(statement, values);
  return rows;
}
