import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { InputColumns } from '../../core/ingest/input-columns.js';
import type { ErrorGroup } from '../error-group.entity.js';
import { ErrorOwnValues } from '../error-own-values.entity.js';
import type { ErrorUserRow } from '../error-statistics.repository.js';
import { SUMMARIES, OWN_UPDATE_SQL, type GroupSummary } from '../sql/group-ingest.js';
import * as sql from '../sql/error-merges.js';

/** An error that is part of another one. */
export type MergedError = Pick<
  ErrorGroup,
  'id' | 'type' | 'value' | 'culprit' | 'eventsCount' | 'lastSeenAt'
>;

/** A locked error and the one that it is merged into. */
export type FamilyMember = Pick<
  ErrorGroup,
  'id' | 'mergedIntoId' | 'updatedAt' | 'type' | 'value' | 'culprit'
>;

/** A user affected by an error or by one that is merged into it. */
interface FamilyUser extends Pick<ErrorUserRow, 'userHash'> {
  targetId: number;
}

const FAMILY_USERS = new InputColumns<FamilyUser>([
  ['target_id', 'bigint', ({ targetId }) => targetId],
  ['user_hash', 'bytea', ({ userHash }) => userHash],
]);

/** Each member of a family has its own users. */
const NEW_USERS_SQL = `
  SELECT n.target_id AS "targetId", count(DISTINCT n.user_hash)::int AS users
  FROM ${FAMILY_USERS.source}
  WHERE NOT EXISTS (SELECT FROM error_users u WHERE u.user_hash = n.user_hash AND u.error_id = ANY(
    ARRAY(SELECT id FROM errors WHERE id = n.target_id OR merged_into_id = n.target_id)))
  GROUP BY n.target_id`;

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
    return this.queries.rows<MergedError>(sql.MERGED_SQL, [targetId]);
  }

  /** Locks errors of a project with those merged into them until the transaction ends. */
  lockFamilies(
    manager: EntityManager,
    projectId: number,
    ids: readonly number[],
  ): Promise<FamilyMember[]> {
    return manager.query<FamilyMember[]>(sql.LOCK_FAMILIES_SQL, [projectId, ids]);
  }

  /** Merges locked errors, with those already merged into them, into a locked target. */
  async mergeInto(
    manager: EntityManager,
    targetId: number,
    sources: ReadonlyMap<number, readonly number[]>,
  ): Promise<void> {
    const ids = [...sources.keys()];
    await manager.query(sql.KEEP_OWN_SQL, [targetId]);
    await this.addCounters(manager, { targetId, ids, sign: 1 });
    for (const [id, merged] of sources) {
      if (merged.length === 0) continue;
      await this.addCounters(manager, { targetId: id, ids: merged, sign: -1 });
      await manager.query(sql.SET_TARGET_SQL, [targetId, merged]);
      await this.refresh(manager, id);
    }
    await manager.query(sql.SET_TARGET_SQL, [targetId, ids]);
    const all = [...ids, ...[...sources.values()].flat()];
    await manager.query(sql.POINT_HASHES_SQL, [targetId, all]);
    await this.refresh(manager, targetId);
  }

  /** Gives a merged error its events and fingerprints back; it is unresolved. */
  async detach(manager: EntityManager, targetId: number, id: number): Promise<void> {
    await this.addCounters(manager, { targetId, ids: [id], sign: -1 });
    await manager.query(sql.CLEAR_TARGET_SQL, [id]);
    await manager.query(sql.POINT_HASHES_SQL, [null, [id]]);
    await this.refresh(manager, targetId);
  }

  /** Counts the users that no member of their family had before; to call before inserting them. */
  async countNewUsers(
    rows: TransactionRows,
    users: readonly FamilyUser[],
  ): Promise<Map<number, number>> {
    type Counted = { targetId: number; users: number };
    const counted = await rows<Counted>(NEW_USERS_SQL, FAMILY_USERS.values(users));
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
    for (const text of [sql.ADD_COUNTERS_SQL, sql.ADD_TRENDS_SQL, sql.ADD_TAGS_SQL]) {
      await manager.query(text, [targetId, ids, sign]);
    }
    if (sign === 1) return;
    await manager.query(sql.DELETE_EMPTY_TRENDS_SQL, [targetId]);
    await manager.query(sql.DELETE_EMPTY_TAGS_SQL, [targetId]);
  }

  private async refresh(manager: EntityManager, targetId: number): Promise<void> {
    await manager.query(sql.REFRESH_SQL, [targetId]);
    await manager.query(sql.FORGET_OWN_SQL, [targetId]);
  }
}
