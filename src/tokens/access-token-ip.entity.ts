import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccessToken } from './access-token.entity.js';

/** An address that used a token; the five newest of each are kept. */
@Entity('access_token_ips')
export class AccessTokenIp {
  @ForeignKey(() => AccessToken, { name: 'fk_access_token_ips_token', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'token_id',
    primaryKeyConstraintName: 'pk_access_token_ips',
  })
  tokenId: number;

  @PrimaryColumn({ type: 'inet', name: 'ip', primaryKeyConstraintName: 'pk_access_token_ips' })
  ip: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'seen_at' })
  seenAt: Date;
}
