import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TrackedError } from './tracked-error.entity.js';

/** Events of an error by hour of arrival, exact. */
@Entity('error_trends')
export class ErrorTrend {
  @ForeignKey(() => TrackedError, { name: 'fk_error_trends_error', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'error_id', primaryKeyConstraintName: 'pk_error_trends' })
  errorId: number;

  /** When the hour begins. */
  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    name: 'hour',
    primaryKeyConstraintName: 'pk_error_trends',
  })
  hour: Date;

  @Column({ type: 'bigint', name: 'events_count' })
  eventsCount: number;
}
