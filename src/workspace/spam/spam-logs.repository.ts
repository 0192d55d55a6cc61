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
} from 'typeorm';
import { Sql } from '../../core/sql/sql.service.js';
import { User } from '../../identity/users/user.entity.js';
import type { SpamSender, Submission } from './submission.js';

export type SpammableKind = 'issue' | 'merge_request' | 'snippet' | 'comment';

/** One submission that was taken for spam; a solved CAPTCHA redeems it once. */
@Entity('spam_logs')
@Index('ix_spam_logs_user', ['userId', 'createdAt'])
@Check('ck_spam_logs_kind', `"kind" IN ('issue', 'merge_request', 'snippet', 'comment')`)
export class SpamLog {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_spam_logs' })
  id: number;

  @ForeignKey(() => User, { name: 'fk_spam_logs_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'text', name: 'kind' })
  kind: SpammableKind;

  /** Beginning of the text where there is no title. */
  @Column({ type: 'text', name: 'title' })
  title: string;

  /** Which check spoke: `local` or `akismet`. */
  @Column({ type: 'text', name: 'checker' })
  checker: string;

  /** Why, for administrators. */
  @Column({ type: 'text', name: 'reason' })
  reason: string;

  @Column({ type: 'inet', name: 'ip_address', nullable: true })
  ipAddress: string | null;

  @Column({ type: 'text', name: 'user_agent', default: '' })
  userAgent: string;

  /** When a solved CAPTCHA redeemed it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'redeemed_at', nullable: true })
  redeemedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** That a user sent a text some minutes ago, by its digest: how repetitions are recognised. */
@Entity('spam_submissions')
@Index('ix_spam_submissions_user', ['userId', 'createdAt'])
export class SpamSubmission {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_spam_submissions',
  })
  id: number;

  @ForeignKey(() => User, { name: 'fk_spam_submissions_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'bytea', name: 'digest' })
  digest: Buffer;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

const REDEEMABLE_MINUTES = 15;
const KEPT_DAYS = 90;
const MEMORY_MINUTES = 10;
const MAX_TEXT = 255;

const DELETE_OLD_SQL = `DELETE FROM spam_logs WHERE user_id = $1 AND created_at < now() - interval '${KEPT_DAYS} days'`;

const REDEEMABLE = `id = $1 AND user_id = $2 AND kind = $3 AND redeemed_at IS NULL
  AND created_at > now() - interval '${REDEEMABLE_MINUTES} minutes'`;

/** The statement sees the rows as they were before it, so this submission is not counted. */
const REMEMBER_SQL = `
  WITH forgotten AS (
    DELETE FROM spam_submissions
    WHERE user_id = $1 AND created_at < now() - interval '${MEMORY_MINUTES} minutes'
  ), remembered AS (
    INSERT INTO spam_submissions (user_id, digest) VALUES ($1, $2)
  )
  SELECT (SELECT count(*)::int FROM spam_submissions
          WHERE user_id = $1 AND digest = $2
            AND created_at >= now() - interval '${MEMORY_MINUTES} minutes') AS repetitions,
         extract(epoch FROM now() - u.created_at)::float8 / 3600 AS "accountAgeHours"
  FROM users u WHERE u.id = $1`;

/** Log that a user redeems, for a submission of the same kind. */
interface SpamLogClaim {
  id: number;
  userId: number;
  kind: SpammableKind;
}

/** The check that found spam, and its reason. */
export interface Suspicion {
  checker: 'local' | 'akismet';
  reason: string;
}

/** The recent submissions of a user, as far as the local rules need them. */
interface SubmissionHistory {
  repetitions: number;
  accountAgeHours: number;
}

/** Owns every statement about spam logs and about the digests of recent submissions. */
@Injectable()
export class SpamLogsRepository extends Repository<SpamLog> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(SpamLog, dataSource.manager);
  }

  /** Returns the id of the new log; deletes the user's logs that are older than 90 days. */
  async add(submission: Submission, sender: SpamSender, suspicion: Suspicion): Promise<number> {
    const userId = sender.viewer.id;
    await this.query(DELETE_OLD_SQL, [userId]);
    const inserted = await this.insert({
      ...suspicion,
      userId,
      kind: submission.kind,
      title: (submission.title || submission.prose).slice(0, MAX_TEXT),
      ipAddress: sender.ip,
      userAgent: sender.userAgent.slice(0, MAX_TEXT),
    });
    return (inserted.identifiers[0] as { id: number }).id;
  }

  /** Returns true for a recent log of this user and kind that is not redeemed yet. */
  async isRedeemable({ id, userId, kind }: SpamLogClaim): Promise<boolean> {
    const rows = await this.query<unknown[]>(`SELECT 1 FROM spam_logs WHERE ${REDEEMABLE}`, [
      id,
      userId,
      kind,
    ]);
    return rows.length > 0;
  }

  /** Returns true for exactly one of all requests that redeem the same log. */
  async redeem({ id, userId, kind }: SpamLogClaim): Promise<boolean> {
    const rows = await this.query<[unknown[], number]>(
      `UPDATE spam_logs SET redeemed_at = now() WHERE ${REDEEMABLE} RETURNING id`,
      [id, userId, kind],
    );
    return rows[1] === 1;
  }

  /** Remembers a text by its digest for some minutes; returns null when the user is deleted. */
  rememberSubmission(userId: number, digest: Buffer): Promise<SubmissionHistory | null> {
    return this.queries.row<SubmissionHistory>(REMEMBER_SQL, [userId, digest]);
  }
}
