import { Entity, PrimaryColumn } from 'typeorm';

/**
 * IDs of the events of the last days, stored or not, which identify duplicates. Partitioned by day;
 * it has no foreign keys, so that a day can be dropped on its own.
 */
@Entity('error_event_ids')
export class ErrorEventId {
  /** Day (UTC) of arrival. */
  @PrimaryColumn({ type: 'date', name: 'day', primaryKeyConstraintName: 'pk_error_event_ids' })
  day: string;

  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_error_event_ids',
  })
  projectId: number;

  @PrimaryColumn({
    type: 'uuid',
    name: 'event_id',
    primaryKeyConstraintName: 'pk_error_event_ids',
  })
  eventId: string;
}
