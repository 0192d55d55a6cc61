import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  PrimaryColumn,
} from 'typeorm';
import { Issue } from '../workspace/issues/issue.entity.js';
import { Project } from '../workspace/projects/project.entity.js';
import { User } from '../identity/users/user.entity.js';

/**
 * A group of similar events of a project, an `error` on the wire. Counters are exact, whether their
 * events are stored or not.
 */
@Entity('errors')
@Index('ix_errors_last_seen', ['projectId', 'status', 'lastSeenAt', 'id'])
@Index('ix_errors_first_seen', ['projectId', 'status', 'firstSeenAt', 'id'])
@Index('ix_errors_frequency', ['projectId', 'status', 'eventsCount', 'id'])
@Index('ix_errors_status_changed_by', ['statusChangedById'], {
  where: '"status_changed_by_id" IS NOT NULL',
})
@Index('ix_errors_assignee', ['assigneeId'], { where: '"assignee_id" IS NOT NULL' })
@Index('ix_errors_ignored_until', ['ignoredUntil'], { where: '"ignored_until" IS NOT NULL' })
@Index('ix_errors_merged_into', ['mergedIntoId'], { where: '"merged_into_id" IS NOT NULL' })
@Index('ix_errors_issue', ['issueId'], { where: '"issue_id" IS NOT NULL' })
@Check('ck_errors_status', `"status" BETWEEN 0 AND 3`)
@Check('ck_errors_merged', `("status" = 3) = ("merged_into_id" IS NOT NULL)`)
@Check('ck_errors_level', `"level" BETWEEN 0 AND 4`)
@Check('ck_errors_resolved_release', `"resolved_release" IS NULL OR "status" = 1`)
@Check(
  'ck_errors_ignored',
  `"status" = 2 OR ("ignored_until" IS NULL AND "ignored_until_count" IS NULL)`,
)
@Check('ck_errors_seen', `"first_seen_at" <= "last_seen_at"`)
export class ErrorGroup {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_errors' })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_errors_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** Position in ERROR_STATUSES, or MERGED_STATUS. */
  @Column({ type: 'smallint', name: 'status', default: 0 })
  status: number;

  /** Of the newest event: the exception's type, or null for a message; up to 128 characters. */
  @Column({ type: 'text', name: 'type', nullable: true })
  type: string | null;

  /** Of the newest event: the exception's value or the message; up to 1,024 characters. */
  @Column({ type: 'text', name: 'value', nullable: true })
  value: string | null;

  /** Where it happened: transaction, or function and module; up to 200 characters. */
  @Column({ type: 'text', name: 'culprit' })
  culprit: string;

  @Column({ type: 'text', name: 'platform' })
  platform: string;

  @Column({ type: 'text', name: 'logger', nullable: true })
  logger: string | null;

  /** Position in ERROR_LEVELS, of the newest event. */
  @Column({ type: 'smallint', name: 'level' })
  level: number;

  /** True if the newest event ended the program or reached its last handler. */
  @Column({ type: 'boolean', name: 'is_unhandled', default: false })
  isUnhandled: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'first_seen_at' })
  firstSeenAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'last_seen_at' })
  lastSeenAt: Date;

  @Column({ type: 'bigint', name: 'events_count' })
  eventsCount: number;

  /** Distinct affected users; counted up to 10,000. */
  @Column({ type: 'integer', name: 'users_count', default: 0 })
  usersCount: number;

  @Column({ type: 'text', name: 'first_release', nullable: true })
  firstRelease: string | null;

  @Column({ type: 'text', name: 'last_release', nullable: true })
  lastRelease: string | null;

  /** Time of the last regression: an event after the error was resolved. */
  @Column({ type: 'timestamptz', precision: 3, name: 'regressed_at', nullable: true })
  regressedAt: Date | null;

  /** Last change of the status by a user. */
  @Column({ type: 'timestamptz', precision: 3, name: 'status_changed_at', nullable: true })
  statusChangedAt: Date | null;

  @ForeignKey(() => User, { name: 'fk_errors_status_changed_by', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'status_changed_by_id', nullable: true })
  statusChangedById: number | null;

  /** Newest release when it was resolved in the next one: only events of a newer one reopen it. */
  @Column({ type: 'text', name: 'resolved_release', nullable: true })
  resolvedRelease: string | null;

  /** End of an ignored status. */
  @Column({ type: 'timestamptz', precision: 3, name: 'ignored_until', nullable: true })
  ignoredUntil: Date | null;

  /** Number of events at which an ignored status ends. */
  @Column({ type: 'bigint', name: 'ignored_until_count', nullable: true })
  ignoredUntilCount: number | null;

  /** The error that has its events, and is shown instead. */
  @ForeignKey(() => ErrorGroup, { name: 'fk_errors_merged_into', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'merged_into_id', nullable: true })
  mergedIntoId: number | null;

  /** True if others are merged into it; ErrorOwnValues has its own values then. */
  @Column({ type: 'boolean', name: 'has_merged', default: false })
  hasMerged: boolean;

  @ForeignKey(() => User, { name: 'fk_errors_assignee', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'assignee_id', nullable: true })
  assigneeId: number | null;

  /** The issue in which it is worked on. */
  @ForeignKey(() => Issue, { name: 'fk_errors_issue', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  /**
   * Searchable text in lower case: type, value, culprit, functions of the stack. Of the newest event,
   * or of the first one of the same minute.
   */
  @Column({ type: 'text', name: 'search_text' })
  searchText: string;

  /** The day (UTC) whose events `sampledCount` has counted. */
  @Column({ type: 'date', name: 'sampled_day' })
  sampledDay: string;

  /** Events of that day, stored or not: above a number only each n-th is stored. */
  @Column({ type: 'integer', name: 'sampled_count' })
  sampledCount: number;

  /** Time of the last change of status or issue; new events do not change it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

/** Grouping hash of an error; an error has one for each that its events had. */
@Entity('error_hashes')
@Index('ix_error_hashes_error', ['errorId'])
@Index('ix_error_hashes_target', ['targetId'], { where: '"target_id" IS NOT NULL' })
export class ErrorHash {
  @ForeignKey(() => Project, { name: 'fk_error_hashes_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_error_hashes',
  })
  projectId: number;

  /** 16 bytes, which include the version of the grouping rules. */
  @PrimaryColumn({ type: 'bytea', name: 'hash', primaryKeyConstraintName: 'pk_error_hashes' })
  hash: Buffer;

  @ForeignKey(() => ErrorGroup, { name: 'fk_error_hashes_error', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'error_id' })
  errorId: number;

  /** The error that its error is merged into. */
  @ForeignKey(() => ErrorGroup, { name: 'fk_error_hashes_target', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'target_id', nullable: true })
  targetId: number | null;

  /** Version of the rules. */
  @Column({ type: 'smallint', name: 'version' })
  version: number;
}

/**
 * Number of an error's stored events per tag value. Environment, release, level and system details
 * count as tags.
 */
@Entity('error_tags')
@Index('ix_error_tags_value', ['projectId', 'key', 'value', 'errorId'])
export class ErrorTag {
  @ForeignKey(() => ErrorGroup, { name: 'fk_error_tags_error', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'error_id', primaryKeyConstraintName: 'pk_error_tags' })
  errorId: number;

  /** Up to 32 characters. */
  @PrimaryColumn({ type: 'text', name: 'key', primaryKeyConstraintName: 'pk_error_tags' })
  key: string;

  /** Up to 200 characters. */
  @PrimaryColumn({ type: 'text', name: 'value', primaryKeyConstraintName: 'pk_error_tags' })
  value: string;

  @ForeignKey(() => Project, { name: 'fk_error_tags_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'bigint', name: 'events_count' })
  eventsCount: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'last_seen_at' })
  lastSeenAt: Date;
}

/** Events of an error by hour of arrival, exact. */
@Entity('error_trends')
export class ErrorTrend {
  @ForeignKey(() => ErrorGroup, { name: 'fk_error_trends_error', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'error_id', primaryKeyConstraintName: 'pk_error_trends' })
  errorId: number;

  /** When the hour begins. */
  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    name: 'hour',
    primaryKeyConstraintName: 'pk_error_trends',
  })
  hour: Date;

  @Column({ type: 'bigint', name: 'events_count' })
  eventsCount: number;
}

/** User affected by an error, stored as a digest only. */
@Entity('error_users')
export class ErrorUser {
  @ForeignKey(() => ErrorGroup, { name: 'fk_error_users_error', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'error_id', primaryKeyConstraintName: 'pk_error_users' })
  errorId: number;

  /** 16 bytes. */
  @PrimaryColumn({ type: 'bytea', name: 'user_hash', primaryKeyConstraintName: 'pk_error_users' })
  userHash: Buffer;
}
