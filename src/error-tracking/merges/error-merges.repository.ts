import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { InputColumns } from '../../core/ingest/ingest-queue.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import type { ErrorGroup } from '../error-group.entity.js';
import { ErrorOwnValues } from '../error-own-values.entity.js';
import type { ErrorUserRow } from '../error-statistics.repository.js';
import { ERROR_STATUS, MERGED_STATUS } from '../error-values.js';
import { OF_NEWEST, OWN_UPDATE_SQL, SUMMARIES, type GroupSummary } from '../sql/group-ingest.js';
import { MAX_USERS } from '../ingest/grouped-events.js';

/** An error that is part of another one. */
export type MergedError = Pick<
  ErrorGroup,
  'id' | 'type' | 'value' | 'culprit' | 'eventsCount' | 'lastSeenAt'
>;

/** A locked error and the one that it is merged into. */
export type LockedError = Pick<
  ErrorGroup,
  'id' | 'mergedIntoId' | 'updatedAt' | 'type' | 'value' | 'culprit'
>;

/** A user affected by an error or by one that is merged into it. */
interface MergedUser extends Pick<ErrorUserRow, 'userHash'> {
  targetId: number;
}

const MERGED_USERS = new InputColumns<MergedUser>([
  ['target_id', 'bigint', ({ targetId }) => targetId],
  ['user_hash', 'bytea', ({ userHash }) => userHash],
]);

/** Each merged error has its own users. */
const NEW_USERS_SQL = `
  SELECT n.target_id AS "targetId", count(DISTINCT n.user_hash)::int AS users
  FROM ${MERGED_USERS.source}
  WHERE NOT EXISTS (SELECT FROM error_users u WHERE u.user_hash = n.user_hash AND u.error_id = ANY(
    ARRAY(SELECT id FROM errors WHERE id = n.target_id OR merged_into_id = n.target_id)))
  GROUP BY n.target_id`;

const OWN = [...OF_NEWEST, 'first_seen_at', 'last_seen_at', 'first_release'].join(', ');

/** $1 = target. */
const KEEP_OWN_SQL = `
  INSERT INTO error_own_values (error_id, ${OWN})
  SELECT id, ${OWN} FROM errors WHERE id = $1 ON CONFLICT DO NOTHING`;

/** $1 = target, $2 = errors. */
const SET_TARGET_SQL = `
  UPDATE errors SET merged_into_id = $1, status = ${MERGED_STATUS}, resolved_release = NULL,
    ignored_until = NULL, ignored_until_count = NULL, updated_at = now()
  WHERE id = ANY($2::bigint[])`;

/** $1 = target, or null for none; $2 = errors. */
const POINT_HASHES_SQL = `
  UPDATE error_hashes SET target_id = $1 WHERE error_id = ANY($2::bigint[])`;

/** $1 = error. */
const CLEAR_TARGET_SQL = `
  UPDATE errors SET merged_into_id = NULL, status = ${ERROR_STATUS.unresolved}, updated_at = now()
  WHERE id = $1`;

/** $1 = target, $2 = errors whose events it gains (1) or gives back (-1, $3). */
const ADD_COUNTERS_SQL = `
  UPDATE errors e SET events_count = e.events_count + $3::int * added.events
  FROM (SELECT coalesce(sum(events_count), 0)::bigint AS events FROM errors
    WHERE id = ANY($2::bigint[])) added
  WHERE e.id = $1`;

const ADD_TRENDS_SQL = `
  INSERT INTO error_trends AS t (error_id, hour, events_count)
  SELECT $1::bigint, hour, $3::int * sum(events_count) FROM error_trends
  WHERE error_id = ANY($2::bigint[]) GROUP BY hour
  ON CONFLICT (error_id, hour) DO UPDATE SET events_count = t.events_count + excluded.events_count`;

const ADD_TAGS_SQL = `
  INSERT INTO error_tags AS t (error_id, key, value, project_id, events_count, last_seen_at)
  SELECT $1::bigint, key, value, min(project_id), $3::int * sum(events_count), max(last_seen_at)
  FROM error_tags WHERE error_id = ANY($2::bigint[]) GROUP BY key, value
  ON CONFLICT (error_id, key, value) DO UPDATE SET
    events_count = t.events_count + excluded.events_count,
    last_seen_at = greatest(t.last_seen_at, excluded.last_seen_at)`;

/** Tags and hours that only the errors had that were given back. */
const DELETE_EMPTY_TRENDS_SQL =
  'DELETE FROM error_trends WHERE error_id = $1 AND events_count <= 0';
const DELETE_EMPTY_TAGS_SQL = 'DELETE FROM error_tags WHERE error_id = $1 AND events_count <= 0';

/** Own values of a target and those of the errors merged into it. */
const MERGED_VALUES = `
  SELECT ${OWN} FROM error_own_values WHERE error_id = $1
  UNION ALL SELECT ${OWN} FROM errors WHERE merged_into_id = $1`;

/** Derives what a target shows from its own values and those of the errors merged into it. */
const REFRESH_SQL = `
  WITH merged AS MATERIALIZED (${MERGED_VALUES}),
    newest AS (SELECT * FROM merged ORDER BY last_seen_at DESC LIMIT 1),
    oldest AS (SELECT * FROM merged ORDER BY first_seen_at LIMIT 1)
  UPDATE errors e SET ${OF_NEWEST.map((name) => `${name} = newest.${name}`).join(', ')},
    last_seen_at = newest.last_seen_at, first_seen_at = oldest.first_seen_at,
    first_release = oldest.first_release, updated_at = now(),
    has_merged = EXISTS (SELECT FROM errors WHERE merged_into_id = $1),
    users_count = (SELECT count(*) FROM (SELECT DISTINCT u.user_hash FROM error_users u
      WHERE u.error_id = $1 OR u.error_id IN (SELECT id FROM errors WHERE merged_into_id = $1)
      LIMIT ${MAX_USERS}) users)
  FROM newest, oldest WHERE e.id = $1`;

/** A target without merged errors has no values besides its own. */
const FORGET_OWN_SQL = `
  DELETE FROM error_own_values WHERE error_id = $1
    AND NOT EXISTS (SELECT FROM errors WHERE merged_into_id = $1)`;

/** Merged errors of a target, in the order of their ids. $1 = target. */
const MERGED_SQL = `
  SELECT id, type, value, culprit, events_count AS "eventsCount", last_seen_at AS "lastSeenAt"
  FROM errors WHERE merged_into_id = $1 ORDER BY id`;

/** $1 = project, $2 = errors; with all that are merged into them, in the order of locks. */
const LOCK_WITH_MERGED_SQL = `
  SELECT id, merged_into_id AS "mergedIntoId", updated_at AS "updatedAt", type, value, culprit
  FROM errors
  WHERE project_id = $1 AND (id = ANY($2::bigint[]) OR merged_into_id = ANY($2::bigint[]))
  ORDER BY id FOR NO KEY UPDATE`;

/** Owns every statement about errors that are merged into others. */
@Injectable()
export class ErrorMergesRepository extends Repository<ErrorOwnValues> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ErrorOwnValues, dataSource.manager);
  }

  /** Returns the errors that are merged into one. */
  listMerged(targetId: number): Promise<MergedError[]> {
    return this.queries.rows<MergedError>(MERGED_SQL, [targetId]);
  }

  /** Locks errors of a project with those merged into them until the transaction ends. */
  lockWithMerged(
    manager: EntityManager,
    projectId: number,
    ids: readonly number[],
  ): Promise<LockedError[]> {
    return manager.query<LockedError[]>(LOCK_WITH_MERGED_SQL, [projectId, ids]);
  }

  /** Merges locked errors, with those already merged into them, into a locked target. */
  async mergeInto(
    manager: EntityManager,
    targetId: number,
    sources: ReadonlyMap<number, readonly number[]>,
  ): Promise<void> {
    const ids = [...sources.keys()];
    await manager.query(KEEP_OWN_SQL, [targetId]);
    await this.addCounters(manager, { targetId, ids, sign: 1 });
    for (const [id, merged] of sources) {
      if (merged.length === 0) continue;
      await this.addCounters(manager, { targetId: id, ids: merged, sign: -1 });
      await manager.query(SET_TARGET_SQL, [targetId, merged]);
      await this.refresh(manager, id);
    }
    await manager.query(SET_TARGET_SQL, [targetId, ids]);
    const all = [...ids, ...[...sources.values()].flat()];
    await manager.query(POINT_HASHES_SQL, [targetId, all]);
    await this.refresh(manager, targetId);
  }

  /** Gives a merged error its events and fingerprints back; it is unresolved. */
  async detach(manager: EntityManager, targetId: number, id: number): Promise<void> {
    await this.addCounters(manager, { targetId, ids: [id], sign: -1 });
    await manager.query(CLEAR_TARGET_SQL, [id]);
    await manager.query(POINT_HASHES_SQL, [null, [id]]);
    await this.refresh(manager, targetId);
  }

  /**
   * Counts the users that neither their error nor those merged into it had before; to call before
   * inserting them.
   */
  async countNewUsers(
    rows: TransactionRows,
    users: readonly MergedUser[],
  ): Promise<Map<number, number>> {
    type Counted = { targetId: number; users: number };
    const counted = await rows<Counted>(NEW_USERS_SQL, MERGED_USERS.values(users));
    return new Map(counted.map((row) => [row.targetId, row.users]));
  }

  /** Updates the own values of targets by their own events. */
  async updateOwn(rows: TransactionRows, summaries: readonly GroupSummary[]): Promise<void> {
    await rows(OWN_UPDATE_SQL, SUMMARIES.values(summaries));
  }

  private async addCounters(
    manager: EntityManager,
    { targetId, ids, sign }: { targetId: number; ids: readonly number[]; sign: 1 | -1 },
  ): Promise<void> {
    for (const text of [ADD_COUNTERS_SQL, ADD_TRENDS_SQL, ADD_TAGS_SQL]) {
      await manager.query(text, [targetId, ids, sign]);
    }
    if (sign === 1) return;
    await manager.query(DELETE_EMPTY_TRENDS_SQL, [targetId]);
    await manager.query(DELETE_EMPTY_TAGS_SQL, [targetId]);
  }

  private async refresh(manager: EntityManager, targetId: number): Promise<void> {
    await manager.query(REFRESH_SQL, [targetId]);
    await manager.query(FORGET_OWN_SQL, [targetId]);
  }
}
