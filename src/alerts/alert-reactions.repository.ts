import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import {
  dueSql,
  isDue,
  postponeSql,
  type WorkTable,
} from '../core/durable-work/sql/work-statements.js';
import { InputColumns } from '../core/ingest/ingest-queue.js';
import type { TransactionRows } from '../core/sql/sql.service.js';
import { AlertReaction, type ReactionKind } from './alert-reaction.entity.js';

/** All due rows of one kind about one alert. */
export interface DueReaction {
  alertId: number;
  /** Numbers of events of the rows, the oldest row first. */
  events: number[];
}

/** Outcome of the rows, apart from the data that was written. */
export interface ReactionOutcome {
  /** Alerts that someone else holds: to be taken one by one, waiting for them. */
  busy: number[];
  /** Log message; null for none. */
  summary: string | null;
  /** Called after the commit. */
  committed?: () => Promise<void>;
}

/**
 * Handles rows of one kind, within the transaction that deletes the rows: both happen, or neither.
 * Can be called again for rows whose transaction failed.
 */
export interface ReactionWork {
  readonly kind: ReactionKind;
  /** Among several alerts it waits for none (see `busy`): who waits for it could have another. */
  react(tx: EntityManager, due: DueReaction[], mayWait: boolean): Promise<ReactionOutcome>;
}

/** A reaction to insert. */
export interface NewReaction {
  alertId: number | null;
  kind: ReactionKind;
  events: number;
  /** True if it waits for others that can follow immediately. */
  waits: boolean;
}

/** The claimed alerts: the first ones that are due, or a certain one. */
export type LockedAlerts = { limit: number } | { alertId: number };

/** A row that its worker holds until its transaction ends. */
export interface LockedReaction {
  id: number;
  alertId: number;
  events: number;
}

/** The kind of reactions that are due at a time. */
interface DueReactions {
  kind: ReactionKind;
  now: Date;
}

const NEW_REACTIONS = new InputColumns<NewReaction>([
  ['alert_id', 'bigint', ({ alertId }) => alertId],
  ['kind', 'text', ({ kind }) => kind],
  ['events', 'int', ({ events }) => events],
  ['waits', 'boolean', ({ waits }) => waits],
]);

/**
 * At most one incident is opened at a time. A row that waits for others is due together with the
 * waiting one, so that a worker finds both; rows never join a failed one, which can wait for an
 * hour.
 */
const INSERT_SQL = `
  INSERT INTO alert_reactions (alert_id, kind, events, not_before)
  SELECT n.alert_id, n.kind, n.events, CASE WHEN n.waits THEN coalesce(
    (SELECT w.not_before FROM alert_reactions w WHERE w.alert_id = n.alert_id AND w.kind = n.kind
       AND w.attempts = 0 AND w.not_before > now() LIMIT 1),
    now() + interval '5 seconds') ELSE now() END
  FROM ${NEW_REACTIONS.source}
  ORDER BY n.position
  ON CONFLICT (alert_id) WHERE kind = 'open_incident' DO NOTHING`;

const INSERT_CLOSINGS_SQL = `
  INSERT INTO alert_reactions (alert_id, kind)
  SELECT a.id, 'close_incident' FROM alerts a
  LEFT JOIN alert_settings s ON s.project_id = a.project_id
  WHERE a.id = ANY($1::bigint[]) AND a.issue_id IS NOT NULL AND coalesce(s.auto_close_incident, true)
  ORDER BY a.id`;

const REACTIONS: WorkTable = {
  table: 'alert_reactions',
  pending: 'w.kind = $1',
  order: 'w.not_before, w.id',
};

/**
 * The oldest row stands for all of its alert: a worker that holds it has the others, too, also
 * those that another worker could see without it.
 */
const IS_OLDEST = `NOT EXISTS (
  SELECT FROM alert_reactions e WHERE e.alert_id = w.alert_id AND e.kind = w.kind AND e.id < w.id)`;

/**
 * By indexes only, row by row: a storm comes faster than PostgreSQL counts its rows, and a plan for
 * a small table would read and sort all that waits with each call.
 */
const IN_ORDER_SQL = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'sort']
  .map((way) => `SET LOCAL enable_${way} = off`)
  .join('; ');

/** Later statements of the transaction name few rows and can sort them. */
const SORTING_SQL = 'SET LOCAL enable_sort = on';

const LOCK_SOME_SQL = dueSql(REACTIONS, {
  columns: 'w.alert_id AS "alertId"',
  now: '$2',
  where: IS_OLDEST,
  limit: '$3',
});

/** By the alert, which needs no sort: by time, it would walk all rows that are due. */
const LOCK_ONE_SQL = dueSql(
  { ...REACTIONS, order: 'w.alert_id' },
  {
    columns: 'w.alert_id AS "alertId"',
    now: '$2',
    where: `${IS_OLDEST} AND w.alert_id = $3`,
  },
);

const ROWS_SQL = dueSql(
  { ...REACTIONS, order: 'w.id' },
  {
    columns: 'w.id, w.alert_id AS "alertId", w.events',
    now: '$2',
    where: 'w.alert_id = ANY($3::bigint[])',
  },
);

const POSTPONE_SQL = postponeSql(REACTIONS, {
  where: `${isDue('$2')} AND w.alert_id = $3`,
  now: '$2',
  seconds: 5,
});

/** Owns every statement about reactions to alerts, which workers lock and delete. */
@Injectable()
export class AlertReactionsRepository extends Repository<AlertReaction> {
  constructor(dataSource: DataSource) {
    super(AlertReaction, dataSource.manager);
  }

  /** Inserts the reactions in their order. */
  async insertAll(rows: TransactionRows, reactions: readonly NewReaction[]): Promise<void> {
    await rows(INSERT_SQL, NEW_REACTIONS.values(reactions));
  }

  /**
   * Inserts reactions that close the incidents of the alerts, if their project has enabled it.
   */
  async insertClosings(rows: TransactionRows, alertIds: readonly number[]): Promise<void> {
    await rows(INSERT_CLOSINGS_SQL, [alertIds]);
  }

  /**
   * Locks rows that are due and that no other worker holds. Returns the alerts in the order in
   * which they are due, and all of their rows.
   */
  async lock(
    manager: EntityManager,
    { kind, now }: DueReactions,
    wanted: LockedAlerts,
  ): Promise<{ alertIds: number[]; rows: LockedReaction[] }> {
    const [text, value] =
      'limit' in wanted ? [LOCK_SOME_SQL, wanted.limit] : [LOCK_ONE_SQL, wanted.alertId];
    await manager.query(IN_ORDER_SQL);
    const oldest = await manager.query<{ alertId: number }[]>(text, [kind, now, value]);
    await manager.query(SORTING_SQL);
    const alertIds = oldest.map(({ alertId }) => alertId);
    const rows = await manager.query<LockedReaction[]>(ROWS_SQL, [kind, now, alertIds]);
    return { alertIds, rows };
  }

  /** Deletes rows whose work is done. */
  async deleteDone(manager: EntityManager, ids: readonly number[]): Promise<void> {
    await manager.query('DELETE FROM alert_reactions WHERE id = ANY($1::bigint[])', [ids]);
  }

  /** Postpones the due reactions of an alert that failed, longer each time. */
  async postpone({ kind, now }: DueReactions, alertId: number): Promise<void> {
    await this.manager.query(POSTPONE_SQL, [kind, now, alertId]);
  }
}
