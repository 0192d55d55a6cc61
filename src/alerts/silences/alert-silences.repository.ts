import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import { optionalUserSql } from '../../identity/users/sql/user-list.js';
import { User } from '../../identity/users/user.entity.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import { Project } from '../../workspace/projects/project.entity.js';

/** Attributes of alerts that a silence can match. */
export const MATCHER_NAMES = ['title', 'environment', 'severity', 'fingerprint'] as const;
export type MatcherName = (typeof MATCHER_NAMES)[number];

/** States of a silence at a moment. */
export const SILENCE_STATES = ['active', 'pending', 'expired'] as const;
export type SilenceState = (typeof SILENCE_STATES)[number];

/** Condition on one attribute of an alert. */
export interface Matcher {
  name: MatcherName;
  /** `*` stands for any text, `\*` for an asterisk. */
  value: string;
  /** The same as a LIKE pattern. */
  pattern: string;
  /** False: the attribute must not match the value. */
  isEqual: boolean;
}

/** Time in which alerts that all matchers match cause no incidents and no emails. */
@Entity('alert_silences')
@Index('ix_alert_silences_project_ends_at', ['projectId', 'endsAt', 'id'])
@Index('ix_alert_silences_author', ['authorId'], { where: '"author_id" IS NOT NULL' })
@Index('ix_alert_silences_ends_at', ['endsAt'])
@Check('ck_alert_silences_times', `"ends_at" >= "starts_at"`)
@Check('ck_alert_silences_comment', `char_length("comment") BETWEEN 1 AND 1000`)
@Check('ck_alert_silences_matchers', `jsonb_array_length("matchers") BETWEEN 1 AND 10`)
export class AlertSilence {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_alert_silences',
  })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_alert_silences_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @ForeignKey(() => User, { name: 'fk_alert_silences_author', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'author_id', nullable: true })
  authorId: number | null;

  @Column({ type: 'jsonb', name: 'matchers' })
  matchers: Matcher[];

  @Column({ type: 'text', name: 'comment' })
  comment: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'starts_at' })
  startsAt: Date;

  /** Moved to the present when the silence is expired early. */
  @Column({ type: 'timestamptz', precision: 3, name: 'ends_at' })
  endsAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

/** A silence with its state and author. */
export interface SilenceRow extends Omit<AlertSilence, 'authorId'> {
  state: SilenceState;
  author: UserBasics | null;
}

const STATE_SQL = `CASE WHEN s.ends_at <= now() THEN 'expired'
  WHEN s.starts_at > now() THEN 'pending' ELSE 'active' END`;

const COLUMNS = `s.id, s.project_id AS "projectId", s.matchers, s.comment,
  s.starts_at AS "startsAt", s.ends_at AS "endsAt", s.created_at AS "createdAt",
  s.updated_at AS "updatedAt", ${STATE_SQL} AS state, ${optionalUserSql('u')} AS author`;

const JOINS = 'LEFT JOIN users u ON u.id = s.author_id';

const CONDITIONS: Record<SilenceState, string> = {
  active: 's.starts_at <= now() AND s.ends_at > now()',
  pending: 's.starts_at > now() AND s.ends_at > now()',
  expired: 's.ends_at <= now()',
};

const COUNT_SQL = `SELECT ${STATE_SQL} AS state, count(*)::int AS count FROM alert_silences s
  WHERE s.project_id = $1 GROUP BY 1`;

/** Silences that one statement deletes. */
export const DELETED_SILENCES = 1_000;

const DELETE_SQL = `DELETE FROM alert_silences WHERE id IN (
  SELECT id FROM alert_silences WHERE ends_at < $1 LIMIT ${DELETED_SILENCES}) RETURNING id`;

/** Owns the statements about silences; those that alerts are matched by are in `sql/silenced.ts`. */
@Injectable()
export class AlertSilencesRepository extends Repository<AlertSilence> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(AlertSilence, dataSource.manager);
  }

  /** Returns one page of a project's silences, those that end last first. */
  list(
    projectId: number,
    state: SilenceState | null | undefined,
    paging: Paging,
  ): Promise<Page<SilenceRow>> {
    return this.queries.page<SilenceRow>(
      {
        key: 's.id',
        select: COLUMNS,
        from: 'alert_silences s',
        joins: JOINS,
        where: `s.project_id = $1${state ? ` AND ${CONDITIONS[state]}` : ''}`,
        orderBy: 's.ends_at DESC, s.id DESC',
        values: [projectId],
      },
      paging,
    );
  }

  /** Returns a silence of the project; throws NotFoundError. */
  async findInProject(projectId: number, id: number): Promise<SilenceRow> {
    const row = await this.queries.row<SilenceRow>(
      `SELECT ${COLUMNS} FROM alert_silences s ${JOINS} WHERE s.id = $1 AND s.project_id = $2`,
      [id, projectId],
    );
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Returns the matchers of each active silence of the project. */
  async listActiveMatchers(projectId: number): Promise<Matcher[][]> {
    const rows = await this.queries.rows<Pick<AlertSilence, 'matchers'>>(
      `SELECT s.matchers FROM alert_silences s WHERE s.project_id = $1 AND ${CONDITIONS.active}`,
      [projectId],
    );
    return rows.map(({ matchers }) => matchers);
  }

  /** Counts a project's silences by state. */
  async countByState(projectId: number): Promise<Record<SilenceState, number>> {
    const rows = await this.queries.rows<{ state: SilenceState; count: number }>(COUNT_SQL, [
      projectId,
    ]);
    const counts = { active: 0, pending: 0, expired: 0 };
    for (const { state, count } of rows) counts[state] = count;
    return counts;
  }

  /** Locks a silence of the project until the transaction ends; throws NotFoundError. */
  async lock(tx: EntityManager, projectId: number, id: number): Promise<AlertSilence> {
    const row = await tx.findOne(AlertSilence, {
      where: { id, projectId },
      lock: { mode: 'pessimistic_write' },
    });
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Returns the time by the clock that silences are compared with. */
  async now(tx: EntityManager): Promise<Date> {
    const [row] = await tx.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
    return row.now;
  }

  /** Deletes silences that ended before that time, at most `DELETED_SILENCES`; returns their number. */
  async deleteExpired(before: Date): Promise<number> {
    return (await this.queries.rows(DELETE_SQL, [before])).length;
  }
}
