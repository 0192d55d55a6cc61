import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../core/sql/timestamp-columns.js';
import { User } from '../identity/users/user.entity.js';

/** An application that signs people in here (API doc, Application registration). */
@Entity('oauth_applications')
@Index('uq_oauth_applications_uid', ['uid'], { unique: true })
@Index('ix_oauth_applications_owner', ['ownerId', 'id'])
export class OAuthApplication extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_oauth_applications',
  })
  id: number;

  /** The client_id: 64 hexadecimal digits. */
  @Column({ type: 'text', name: 'uid' })
  uid: string;

  /** SHA-256 of the client_secret, which has 160 random bits. */
  @Column({ type: 'bytea', name: 'secret_digest' })
  secretDigest: Buffer;

  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'text', array: true, name: 'redirect_uris' })
  redirectUris: string[];

  @Column({ type: 'text', array: true, name: 'scopes' })
  scopes: string[];

  /** True if it can keep its secret; others must use PKCE (RFC 6749 §2.1). */
  @Column({ type: 'boolean', name: 'confidential', default: true })
  confidential: boolean;

  /** Skips the consent screen; set by administrators only. */
  @Column({ type: 'boolean', name: 'trusted', default: false })
  trusted: boolean;

  /** null = an application of the whole instance. */
  @ForeignKey(() => User, { name: 'fk_oauth_applications_owner', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'owner_id', nullable: true })
  ownerId: number | null;
}
