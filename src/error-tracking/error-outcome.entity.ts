import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Project } from '../workspace/projects/project.entity.js';

/** Daily number of events per outcome, including those that clients discarded. */
@Entity('error_outcomes')
@Check('ck_error_outcomes_outcome', `"outcome" BETWEEN 0 AND 3`)
export class ErrorOutcome {
  @ForeignKey(() => Project, { name: 'fk_error_outcomes_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_error_outcomes',
  })
  projectId: number;

  /** UTC. */
  @PrimaryColumn({ type: 'date', name: 'day', primaryKeyConstraintName: 'pk_error_outcomes' })
  day: string;

  /** Position in ERROR_OUTCOMES. */
  @PrimaryColumn({
    type: 'smallint',
    name: 'outcome',
    primaryKeyConstraintName: 'pk_error_outcomes',
  })
  outcome: number;

  /** Kind of data, as rate limits of SDKs name it: error, transaction, session, … */
  @PrimaryColumn({ type: 'text', name: 'category', primaryKeyConstraintName: 'pk_error_outcomes' })
  category: string;

  /** Reason, as named by the protocol or by us. */
  @PrimaryColumn({ type: 'text', name: 'reason', primaryKeyConstraintName: 'pk_error_outcomes' })
  reason: string;

  @Column({ type: 'bigint', name: 'quantity' })
  quantity: number;
}
