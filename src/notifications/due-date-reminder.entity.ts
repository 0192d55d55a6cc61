import { Entity, PrimaryColumn } from 'typeorm';

/** A day (UTC) whose reminders about issues due on the next day are recorded. */
@Entity('due_date_reminders')
export class DueDateReminder {
  @PrimaryColumn({ type: 'date', name: 'day', primaryKeyConstraintName: 'pk_due_date_reminders' })
  day: string;
}
