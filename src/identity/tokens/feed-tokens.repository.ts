import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
import { Sql } from '../../core/sql/sql.service.js';
import { User } from '../users/user.entity.js';

/** Token with which a feed reader reads the feeds of a user, and nothing else. */
@Entity('feed_tokens')
@Index('uq_feed_tokens_digest', ['digest'], { unique: true })
export class FeedToken {
  @ForeignKey(() => User, { name: 'fk_feed_tokens_user', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'user_id', primaryKeyConstraintName: 'pk_feed_tokens' })
  userId: number;

  /** SHA-256 of the raw value, by which it is found. */
  @Column({ type: 'bytea', name: 'digest' })
  digest: Buffer;

  /** The raw value, encrypted: links to feeds have it. */
  @Column({ type: 'text', name: 'encrypted_token' })
  encryptedToken: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

const REPLACE_SQL = `
  INSERT INTO feed_tokens (user_id, digest, encrypted_token) VALUES ($1, $2, $3)
  ON CONFLICT (user_id) DO UPDATE
    SET digest = excluded.digest, encrypted_token = excluded.encrypted_token, created_at = now()
  RETURNING xmax = 0 AS "isNew"`;

/** Owns every statement about feed tokens. */
@Injectable()
export class FeedTokensRepository extends Repository<FeedToken> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(FeedToken, dataSource.manager);
  }

  /** Returns the encrypted token of a user, or null. */
  async findEncrypted(userId: number): Promise<string | null> {
    const row = await this.queries.row<{ token: string }>(
      'SELECT encrypted_token AS token FROM feed_tokens WHERE user_id = $1',
      [userId],
    );
    return row?.token ?? null;
  }

  /** Returns the ID of the user whose token has this digest, or null. */
  async findOwner(digest: Buffer): Promise<number | null> {
    const row = await this.queries.row<{ userId: number }>(
      'SELECT user_id AS "userId" FROM feed_tokens WHERE digest = $1',
      [digest],
    );
    return row?.userId ?? null;
  }

  /** Stores the token of a user instead of the current one; returns true if there was none. */
  async replace(
    manager: EntityManager,
    { userId, digest, encryptedToken }: Omit<FeedToken, 'createdAt'>,
  ): Promise<boolean> {
    const [row] = await manager.query<{ isNew: boolean }[]>(REPLACE_SQL, [
      userId,
      digest,
      encryptedToken,
    ]);
    return row?.isNew === true;
  }

  /** Deletes the token of a user; returns false if there was none. */
  async removeOf(manager: EntityManager, userId: number): Promise<boolean> {
    const { affected } = await manager.delete(FeedToken, { userId });
    return affected === 1;
  }
}
