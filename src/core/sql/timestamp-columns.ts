import { Column } from 'typeorm';

/** Columns of entities that know when they were created and last changed. */
export abstract class TimestampColumns {
  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
