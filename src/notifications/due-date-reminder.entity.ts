import { Entity, PrimaryColumn } from 'typeorm';

/** A day (UTC) on which people were told of the issues that are due on the next one. */
@Entity('due_date_reminders')
export class DueDateReminder {
  @PrimaryColumn({ type: 'date', name: 'day', primaryKeyConstraintName: 'pk_due_date_reminders' })
  day: string;
}
