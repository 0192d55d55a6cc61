import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { queryPrepared } from '../core/sql/query-prepared.js';
import { Sql } from '../core/sql/sql.service.js';
import type { NewNotice } from './new-notice.js';
import { NOTICE_KINDS, NOTICE_TARGETS } from './notice-kinds.js';
import { Notice } from './notice.entity.js';

/** Values: an array for each column. */
const INSERT_SQL = `
  INSERT INTO notices (kind, project_id, actor_id, target_type, target_id, note_id, details)
  SELECT kind, project_id, actor_id, target_type, target_id, note_id, details FROM
    unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::bigint[],
      $7::jsonb[]) WITH ORDINALITY
    AS n (kind, project_id, actor_id, target_type, target_id, note_id, details, position)
  ORDER BY position`;

const WAITING_SQL = `SELECT count(*)::int AS waiting FROM notices WHERE mailed_at IS NULL`;

/** Owns the statements about notices alone; those that find recipients belong to notifications. */
@Injectable()
export class NoticesRepository extends Repository<Notice> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Notice, dataSource.manager);
  }

  /** Records notices in the order given. */
  async record(manager: EntityManager, notices: readonly NewNotice[]): Promise<void> {
    const values = [
      notices.map(({ kind }) => NOTICE_KINDS[kind]),
      notices.map(({ projectId }) => projectId),
      notices.map(({ actorId }) => actorId),
      notices.map(({ target }) => NOTICE_TARGETS[target.type]),
      notices.map(({ target }) => target.id),
      notices.map(({ noteId }) => noteId ?? null),
      notices.map(({ details }) => JSON.stringify(details ?? {})),
    ];
    await queryPrepared(manager, { name: 'record-notices', text: INSERT_SQL, values });
  }

  /** Counts notices whose emails are not written yet. */
  async countWaiting(): Promise<number> {
    const row = await this.queries.row<{ waiting: number }>(WAITING_SQL);
    return row?.waiting ?? 0;
  }
}
