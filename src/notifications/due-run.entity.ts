import { Entity, PrimaryColumn } from 'typeorm';

/** A day (UTC) on which people were told of the issues that are due on the next one. */
@Entity('due_runs')
export class DueRun {
  @PrimaryColumn({ type: 'date', name: 'day', primaryKeyConstraintName: 'pk_due_runs' })
  day: string;
}
