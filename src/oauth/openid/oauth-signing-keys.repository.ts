import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  Index,
  PrimaryColumn,
  Repository,
  type EntityManager,
} from 'typeorm';

/** A key that signs id_tokens (OpenID Connect Core §10.1); the private half is encrypted. */
@Entity('oauth_signing_keys')
@Index('ix_oauth_signing_keys_active_from', ['activeFrom'])
export class OAuthSigningKey {
  @PrimaryColumn({ type: 'text', name: 'kid', primaryKeyConstraintName: 'pk_oauth_signing_keys' })
  kid: string;

  @Column({ type: 'jsonb', name: 'public_jwk' })
  publicJwk: Record<string, unknown>;

  @Column({ type: 'text', name: 'encrypted_private_key' })
  encryptedPrivateKey: string;

  /** Published before it signs, so that clients fetch it in time. */
  @Column({ type: 'timestamptz', precision: 3, name: 'active_from' })
  activeFrom: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** Processes make and withdraw keys one after the other. */
const KEYS_LOCK = 7_220_002;

/** Channel that announces changes of the keys to all processes. */
export const KEYS_CHANNEL = 'signing_keys';

/** Owns every statement about signing keys. */
@Injectable()
export class OAuthSigningKeysRepository extends Repository<OAuthSigningKey> {
  constructor(dataSource: DataSource) {
    super(OAuthSigningKey, dataSource.manager);
  }

  /** Returns all keys in the order in which they sign. */
  listAll(manager: EntityManager): Promise<OAuthSigningKey[]> {
    return manager.find(OAuthSigningKey, { order: { activeFrom: 'ASC', kid: 'ASC' } });
  }

  /** Keeps other processes from changing the keys until the transaction ends. */
  async lockAll(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [KEYS_LOCK]);
  }

  /** Announces the change to all processes once the transaction commits. */
  async announce(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_notify($1, $2)', [KEYS_CHANNEL, '']);
  }
}
