import { Column } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';

/** Columns of what is numbered within a project: issues, merge requests and milestones. */
export abstract class NumberedColumns extends TimestampColumns {
  /** Number within the project, from 1 on; never given twice. */
  @Column({ type: 'bigint', name: 'iid' })
  iid: number;

  @Column({ type: 'text', name: 'title' })
  title: string;

  @Column({ type: 'text', name: 'description', nullable: true })
  description: string | null;
}
