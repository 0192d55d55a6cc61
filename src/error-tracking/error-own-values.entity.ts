import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { ErrorGroup } from './error-group.entity.js';

/**
 * Values of an error's own events while others are merged into it; the row in `errors` then has
 * those of all. Counters are not here: they are the sum less those of the merged errors.
 */
@Entity('error_own_values')
export class ErrorOwnValues {
  @ForeignKey(() => ErrorGroup, { name: 'fk_error_own_values_error', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'error_id',
    primaryKeyConstraintName: 'pk_error_own_values',
  })
  errorId: number;

  @Column({ type: 'text', name: 'type', nullable: true })
  type: string | null;

  @Column({ type: 'text', name: 'value', nullable: true })
  value: string | null;

  @Column({ type: 'text', name: 'culprit' })
  culprit: string;

  @Column({ type: 'text', name: 'platform' })
  platform: string;

  @Column({ type: 'text', name: 'logger', nullable: true })
  logger: string | null;

  @Column({ type: 'smallint', name: 'level' })
  level: number;

  @Column({ type: 'boolean', name: 'is_unhandled' })
  isUnhandled: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'first_seen_at' })
  firstSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'last_seen_at' })
  lastSeenAt: Date;

  @Column({ type: 'text', name: 'first_release', nullable: true })
  firstRelease: string | null;

  @Column({ type: 'text', name: 'last_release', nullable: true })
  lastRelease: string | null;

  @Column({ type: 'text', name: 'search_text' })
  searchText: string;
}
