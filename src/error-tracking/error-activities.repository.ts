import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
import { InputColumns } from '../core/ingest/ingest-queue.js';
import { Sql, type TransactionRows } from '../core/sql/sql.service.js';
import { User } from '../identity/users/user.entity.js';
import { ErrorGroup } from './error-group.entity.js';
import { ERROR_ACTIONS, type ErrorAction } from './error-values.js';

/** A change of an error by a user, or by an event. */
@Entity('error_activities')
@Index('ix_error_activities_error', ['errorId', 'id'])
@Index('ix_error_activities_actor', ['actorId'], { where: '"actor_id" IS NOT NULL' })
export class ErrorActivity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_error_activities',
  })
  id: number;

  @ForeignKey(() => ErrorGroup, { name: 'fk_error_activities_error', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'error_id' })
  errorId: number;

  /** Null for events, and for deleted accounts. */
  @ForeignKey(() => User, { name: 'fk_error_activities_actor', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'actor_id', nullable: true })
  actorId: number | null;

  /** Position in ERROR_ACTIONS. */
  @Column({ type: 'smallint', name: 'action' })
  action: number;

  /** Release, end, username or other error, depending on the action. */
  @Column({ type: 'text', name: 'detail', nullable: true })
  detail: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** A change to record. */
interface NewErrorActivity {
  errorId: number;
  /** Null for events. */
  actorId: number | null;
  action: ErrorAction;
  detail: string | null;
}

/** A recorded change of an error. */
export interface ErrorActivityRow {
  action: ErrorAction;
  /** Username. */
  actor: string | null;
  detail: string | null;
  createdAt: Date;
}

const NEW = new InputColumns<NewErrorActivity>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['actor_id', 'bigint', ({ actorId }) => actorId],
  ['action', 'smallint', ({ action }) => ERROR_ACTIONS.indexOf(action)],
  ['detail', 'text', ({ detail }) => detail],
]);

const INSERT_SQL = `
  INSERT INTO error_activities (error_id, actor_id, action, detail)
  SELECT n.error_id, n.actor_id, n.action, n.detail FROM ${NEW.source} ORDER BY n.position`;

const SHOWN = 20;

const LIST_SQL = `
  SELECT a.action, u.username AS actor, a.detail, a.created_at AS "createdAt"
  FROM error_activities a LEFT JOIN users u ON u.id = a.actor_id
  WHERE a.error_id = $1 ORDER BY a.id DESC LIMIT ${SHOWN}`;

/** Owns every statement about the recorded changes of errors. */
@Injectable()
export class ErrorActivitiesRepository extends Repository<ErrorActivity> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ErrorActivity, dataSource.manager);
  }

  /** Returns the last 20 changes of an error, newest first. */
  async listLatest(errorId: number): Promise<ErrorActivityRow[]> {
    type Row = Omit<ErrorActivityRow, 'action'> & { action: number };
    const rows = await this.queries.rows<Row>(LIST_SQL, [errorId]);
    return rows.map((row) => ({ ...row, action: ERROR_ACTIONS[row.action] as ErrorAction }));
  }

  /** Records changes in a transaction of the ingest. */
  async insertAll(rows: TransactionRows, changes: readonly NewErrorActivity[]): Promise<void> {
    await rows(INSERT_SQL, NEW.values(changes));
  }

  /** Records changes by a user in their transaction. */
  async record(manager: EntityManager, changes: readonly NewErrorActivity[]): Promise<void> {
    if (changes.length > 0) await manager.query(INSERT_SQL, NEW.values(changes));
  }
}
