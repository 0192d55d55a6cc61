import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
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
