import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Credential } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import { AccessToken, MANAGED_KINDS } from './access-token.entity.js';
import {
  CREDENTIAL_SQL,
  inRange,
  LOCK_FAMILY_SQL,
  LOCK_OWNER_OF_TOKEN_SQL,
  RECORD_ADDRESSES_SQL,
  RECORD_USE_SQL,
  REVOKE_FAMILY_SQL,
  REVOKE_JOB_TOKENS_SQL,
  toCredential,
  TOKEN_COLUMNS,
  tokenConditions,
  tokenOrder,
  type CredentialRow,
  type TokenRange,
} from './sql/access-tokens.js';
import type { TokenDetails } from './token.presenter.js';
import type { TokenFiltersDto } from './token.dto.js';

/** A token that was revoked with its family. */
type RevokedToken = Pick<AccessToken, 'id' | 'digest'>;

/** Owns every statement about access tokens and the addresses that used them. */
@Injectable()
export class AccessTokensRepository extends Repository<AccessToken> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly clock: Clock,
  ) {
    super(AccessToken, dataSource.manager);
  }

  /** Returns one page of the tokens of the range that match every filter. */
  list(range: TokenRange, filters: TokenFiltersDto, paging: Paging): Promise<Page<TokenDetails>> {
    const where = tokenConditions(range, filters, this.clock.now());
    return this.queries.page<TokenDetails>(
      {
        key: 't.id',
        select: TOKEN_COLUMNS,
        from: 'access_tokens t',
        where: where.toString(),
        orderBy: tokenOrder(filters),
        values: where.values,
      },
      paging,
    );
  }

  /** Returns every managed token of a user by id. */
  listManagedOfUser(userId: number): Promise<TokenDetails[]> {
    return this.queries.rows<TokenDetails>(
      `SELECT ${TOKEN_COLUMNS} FROM access_tokens t
       WHERE t.user_id = $1 AND t.kind = ANY($2) ORDER BY t.id`,
      [userId, MANAGED_KINDS],
    );
  }

  /** Returns the token of the range or null. */
  findInRange(id: number, range: TokenRange): Promise<TokenDetails | null> {
    const where = inRange(range);
    where.and(`t.id = ${where.value(id)}`);
    return this.queries.row<TokenDetails>(
      `SELECT ${TOKEN_COLUMNS} FROM access_tokens t WHERE ${where.toString()}`,
      where.values,
    );
  }

  /** Returns the credential with this digest, of any kind and state, or null. */
  async findCredential(digest: Buffer): Promise<Credential | null> {
    const row = await this.queries.lookUp<CredentialRow>(CREDENTIAL_SQL, [digest]);
    return row === null ? null : toCredential(row);
  }

  /** Inserts a token and returns it as lists show it. */
  async add(manager: EntityManager, columns: Partial<AccessToken>): Promise<TokenDetails> {
    const inserted = await manager.insert(AccessToken, columns);
    const [details] = await manager.query<TokenDetails[]>(
      `SELECT ${TOKEN_COLUMNS} FROM access_tokens t WHERE t.id = $1`,
      [(inserted.identifiers[0] as { id: number }).id],
    );
    return details as TokenDetails;
  }

  /**
   * Locks the family of a token, which is its first token's row, and returns the token as it is
   * under that lock: rotations and revocations of one family follow one another. Throws
   * NotFoundError.
   */
  async lockFamily(manager: EntityManager, tokenId: number): Promise<AccessToken> {
    await manager.query(LOCK_OWNER_OF_TOKEN_SQL, [tokenId]);
    await manager.query(LOCK_FAMILY_SQL, [tokenId]);
    const token = await manager.findOne(AccessToken, {
      where: { id: tokenId },
      lock: { mode: 'for_no_key_update' },
    });
    if (token === null) throw new NotFoundError('Token');
    return token;
  }

  /**
   * Keeps a project or group from being marked for deletion until the transaction ends, so that
   * the deletion finds its new token. Throws NotFoundError when it is marked already.
   */
  async lockResource(
    manager: EntityManager,
    { kind, id }: { kind: 'project' | 'group'; id: number },
  ): Promise<void> {
    const rows: unknown[] = await manager.query(
      `SELECT 1 FROM ${kind}s WHERE id = $1 AND NOT pending_delete FOR NO KEY UPDATE`,
      [id],
    );
    if (rows.length === 0) throw new NotFoundError(kind === 'project' ? 'Project' : 'Group');
  }

  /** Revokes one token. */
  async revoke(manager: EntityManager, id: number, now: Date): Promise<void> {
    await manager.update(AccessToken, { id }, { revokedAt: now, updatedAt: now });
  }

  /** Revokes the active job tokens that tokens of the family created. */
  async revokeJobTokens(
    manager: EntityManager,
    familyId: number,
    now: Date,
  ): Promise<RevokedToken[]> {
    const result = await manager.query<[RevokedToken[], number]>(REVOKE_JOB_TOKENS_SQL, [
      familyId,
      now,
    ]);
    return result[0];
  }

  /** Revokes the active tokens of the family. */
  async revokeFamily(manager: EntityManager, familyId: number, now: Date): Promise<RevokedToken[]> {
    const result = await manager.query<[RevokedToken[], number]>(REVOKE_FAMILY_SQL, [
      familyId,
      now,
    ]);
    return result[0];
  }

  /** Deletes the job tokens of a project that expired before the moment. */
  async deleteExpiredJobTokens(
    manager: EntityManager,
    projectId: number,
    before: Date,
  ): Promise<void> {
    await manager.query(
      `DELETE FROM access_tokens WHERE project_id = $1 AND kind = 'job' AND expires_at < $2`,
      [projectId, before],
    );
  }

  /** Records that tokens and their users are active, unless that is known since `known`. */
  async recordUse(tokenIds: readonly number[], now: Date, known: Date): Promise<void> {
    await this.queries.rows(RECORD_USE_SQL, [tokenIds, now, known]);
  }

  /** Records the addresses of tokens, one each, unless one is known since `known`. */
  async recordAddresses(
    uses: readonly { tokenId: number; ip: string }[],
    now: Date,
    known: Date,
  ): Promise<void> {
    const [ids, ips] = [uses.map(({ tokenId }) => tokenId), uses.map(({ ip }) => ip)];
    await this.queries.rows(RECORD_ADDRESSES_SQL, [ids, ips, now, known]);
  }
}
