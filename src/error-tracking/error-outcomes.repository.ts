import { Injectable } from '@nestjs/common';
import { Check, Column, DataSource, Entity, ForeignKey, PrimaryColumn, Repository } from 'typeorm';
import { Sql, type TransactionRows } from '../core/sql/sql.service.js';
import { Project } from '../workspace/projects/project.entity.js';
import { ERROR_OUTCOMES, type ErrorOutcomeKind } from './error-values.js';

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

/** Number of a project's events with the same outcome on a day. */
export interface OutcomeRow {
  projectId: number;
  /** UTC, `YYYY-MM-DD`. */
  day: string;
  kind: ErrorOutcomeKind;
  category: string;
  reason: string;
  quantity: number;
}

/** The same as it is stored. */
interface CountedOutcome extends Pick<OutcomeRow, 'day' | 'category' | 'reason' | 'quantity'> {
  /** Position in ERROR_OUTCOMES. */
  outcome: number;
}

/** Rows that one statement deletes, so that none of them locks for long. */
const CHUNK = 1_000;

/** In the order of the key: concurrent writers of the same rows never deadlock. */
const ADD_SQL = `
  INSERT INTO error_outcomes (project_id, day, outcome, category, reason, quantity)
  SELECT n.project_id, n.day, n.outcome, n.category, n.reason, n.quantity
  FROM unnest($1::bigint[], $2::date[], $3::smallint[], $4::text[], $5::text[], $6::bigint[])
      AS n (project_id, day, outcome, category, reason, quantity)
    JOIN projects p ON p.id = n.project_id
  ORDER BY n.project_id, n.day, n.outcome, n.category, n.reason
  ON CONFLICT (project_id, day, outcome, category, reason)
    DO UPDATE SET quantity = error_outcomes.quantity + excluded.quantity`;

const USAGE_SQL = `SELECT day, outcome, category, reason, quantity FROM error_outcomes
  WHERE project_id = $1 AND day BETWEEN $2::date AND $3::date
  ORDER BY day, outcome, category, reason`;

const DELETE_OLD_SQL = `
  DELETE FROM error_outcomes WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM error_outcomes WHERE day < $1 LIMIT ${CHUNK}))
  RETURNING 1`;

/** Owns every statement about the daily counters of outcomes. */
@Injectable()
export class ErrorOutcomesRepository extends Repository<ErrorOutcome> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ErrorOutcome, dataSource.manager);
  }

  /** Adds to the counters; each key occurs once. Skips deleted projects. */
  async add(rows: TransactionRows, outcomes: readonly OutcomeRow[]): Promise<void> {
    await rows(ADD_SQL, addedValues(outcomes));
  }

  /** The same in a statement of its own. */
  async addNow(outcomes: readonly OutcomeRow[]): Promise<void> {
    await this.queries.rows(ADD_SQL, addedValues(outcomes));
  }

  /** Returns the counters of a project between two days (`YYYY-MM-DD`), oldest first. */
  list(
    projectId: number,
    first: string | undefined,
    last: string | undefined,
  ): Promise<CountedOutcome[]> {
    return this.queries.rows<CountedOutcome>(USAGE_SQL, [projectId, first, last]);
  }

  /** Deletes up to 1,000 counters from before the day; returns their number. */
  async deleteOld(day: string): Promise<number> {
    return (await this.queries.rows(DELETE_OLD_SQL, [day])).length;
  }
}

function addedValues(outcomes: readonly OutcomeRow[]): unknown[] {
  return [
    outcomes.map(({ projectId }) => projectId),
    outcomes.map(({ day }) => day),
    outcomes.map(({ kind }) => ERROR_OUTCOMES.indexOf(kind)),
    outcomes.map(({ category }) => category),
    outcomes.map(({ reason }) => reason),
    outcomes.map(({ quantity }) => quantity),
  ];
}
