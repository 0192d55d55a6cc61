import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

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
