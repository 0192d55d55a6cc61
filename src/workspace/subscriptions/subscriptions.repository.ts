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
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { User } from '../../identity/users/user.entity.js';
import { NOTIFICATION_LEVELS } from './notification-levels.js';

/**
 * Subscription of a user to one thread: subscribed at every notification level, or unsubscribed.
 * Without a row the level decides. Exactly one of the columns that name the thread is set.
 */
@Entity('subscriptions')
@Index('uq_subscriptions_issue_user', ['issueId', 'userId'], {
  unique: true,
  where: '"issue_id" IS NOT NULL',
})
@Index('uq_subscriptions_merge_request_user', ['mergeRequestId', 'userId'], {
  unique: true,
  where: '"merge_request_id" IS NOT NULL',
})
@Index('uq_subscriptions_snippet_user', ['snippetId', 'userId'], {
  unique: true,
  where: '"snippet_id" IS NOT NULL',
})
@Index('uq_subscriptions_commit_user', ['commitProjectId', 'commitSha', 'userId'], {
  unique: true,
  where: '"commit_project_id" IS NOT NULL',
})
@Index('ix_subscriptions_user', ['userId'])
@Check(
  'ck_subscriptions_thread',
  `num_nonnulls("issue_id", "merge_request_id", "snippet_id", "commit_project_id") = 1`,
)
@Check('ck_subscriptions_commit', `("commit_project_id" IS NULL) = ("commit_sha" IS NULL)`)
export class Subscription extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_subscriptions',
  })
  id: number;

  @ForeignKey(() => User, { name: 'fk_subscriptions_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @ForeignKey('Issue', { name: 'fk_subscriptions_issue', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  @ForeignKey('MergeRequest', { name: 'fk_subscriptions_merge_request', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'merge_request_id', nullable: true })
  mergeRequestId: number | null;

  @ForeignKey('Snippet', { name: 'fk_subscriptions_snippet', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'snippet_id', nullable: true })
  snippetId: number | null;

  @ForeignKey('Project', { name: 'fk_subscriptions_commit_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'commit_project_id', nullable: true })
  commitProjectId: number | null;

  @Column({ type: 'text', name: 'commit_sha', nullable: true })
  commitSha: string | null;

  /** False = unsubscribed from the thread, except for mentions. */
  @Column({ type: 'boolean', name: 'subscribed' })
  subscribed: boolean;
}

const { global, participating, watch, custom } = NOTIFICATION_LEVELS;

/** A thread of emails that users subscribe to or mute, regardless of their notification level. */
export type Thread =
  | { kind: 'issue' | 'merge_request' | 'snippet'; id: number }
  | { kind: 'commit'; projectId: number; sha: string };

/** A user's decision about a thread. */
interface SubscriptionChange {
  userId: number;
  thread: Thread;
  subscribed: boolean;
}

/** Inserts nothing when the thread or the user is gone; neither can be deleted meanwhile. */
const setSql = (table: string, column: string): string => `
  INSERT INTO subscriptions (user_id, ${column}, subscribed)
  SELECT u.id, t.id, $3 FROM users u JOIN ${table} t ON t.id = $2 WHERE u.id = $1
  FOR KEY SHARE
  ON CONFLICT (${column}, user_id) WHERE ${column} IS NOT NULL
    DO UPDATE SET subscribed = excluded.subscribed, updated_at = now()
  RETURNING id`;

const SET_SQL = {
  issue: setSql('issues', 'issue_id'),
  merge_request: setSql('merge_requests', 'merge_request_id'),
  snippet: setSql('snippets', 'snippet_id'),
} as const;

const SET_COMMIT_SQL = `
  INSERT INTO subscriptions (user_id, commit_project_id, commit_sha, subscribed)
  SELECT u.id, t.id, $4, $3 FROM users u JOIN projects t ON t.id = $2 WHERE u.id = $1
  FOR KEY SHARE
  ON CONFLICT (commit_project_id, commit_sha, user_id) WHERE commit_project_id IS NOT NULL
    DO UPDATE SET subscribed = excluded.subscribed, updated_at = now()
  RETURNING id`;

/** Owns every statement about subscriptions. */
@Injectable()
export class SubscriptionsRepository extends Repository<Subscription> {
  constructor(dataSource: DataSource) {
    super(Subscription, dataSource.manager);
  }

  /**
   * Subscribes a user to a thread or mutes it; false when the thread or the user is gone. The caller
   * checks that the user can read the thread; each email checks it again.
   */
  async put(
    manager: Pick<EntityManager, 'query'>,
    { userId, thread, subscribed }: SubscriptionChange,
  ): Promise<boolean> {
    const [sql, values] =
      thread.kind === 'commit'
        ? [SET_COMMIT_SQL, [userId, thread.projectId, subscribed, thread.sha]]
        : [SET_SQL[thread.kind], [userId, thread.id, subscribed]];
    return (await manager.query<unknown[]>(sql, values)).length > 0;
  }

  /**
   * Subscribes a user who can read the thread or mutes it, unless `subscribed` is what they want;
   * returns false if nothing changes for them.
   */
  async choose(
    { userId, thread, subscribed }: SubscriptionChange,
    wanted: boolean,
  ): Promise<boolean> {
    if (!subscribed && !wanted) return false;
    // Stored for participants as well, so that later level changes do not unsubscribe them.
    await this.put(this.manager, { userId, thread, subscribed: wanted });
    return subscribed !== wanted;
  }

  /** Applies the subscription command of a comment, if it has one. */
  async applyEvent(
    manager: EntityManager,
    { userId, thread }: Omit<SubscriptionChange, 'subscribed'>,
    event: 'subscribe' | 'unsubscribe' | undefined,
  ): Promise<void> {
    if (event === undefined) return;
    await this.put(manager, { userId, thread, subscribed: event === 'subscribe' });
  }
}

/** A user and a row of issues or merge requests, as SQL. */
interface Subscriber {
  /** Alias of the table of issues or merge requests. */
  row: string;
  /** Their id. */
  userId: string;
  /** True if the user can read internal notes. */
  seesInternalNotes: string;
  /** True for members of the project. */
  isMember: string;
}

/**
 * Returns SQL for whether a user receives email about an issue: by explicit choice, otherwise by
 * participating or watching, depending on the user's level for the project. Must match the rules
 * for recipients (`src/notifications/sql/`).
 */
export function subscribedToIssueSql(subscriber: Subscriber): string {
  const { row, userId } = subscriber;
  return subscribedSql('issue_id', {
    ...subscriber,
    works: `EXISTS (SELECT FROM issue_assignees a
      WHERE a.issue_id = ${row}.id AND a.user_id = ${userId})`,
  });
}

/** Returns the same for a merge request. */
export function subscribedToMergeRequestSql(subscriber: Subscriber): string {
  const { row, userId } = subscriber;
  return subscribedSql('merge_request_id', {
    ...subscriber,
    works: `EXISTS (SELECT FROM merge_request_people a
      WHERE a.merge_request_id = ${row}.id AND a.user_id = ${userId})`,
  });
}

/** Participants are the author, the assigned users, those who commented and those mentioned. */
function subscribedSql(
  column: 'issue_id' | 'merge_request_id',
  { row, userId, seesInternalNotes, isMember, works }: Subscriber & { works: string },
): string {
  const comments = `c.${column} = ${row}.id AND NOT c.system
    AND (NOT c.internal OR ${seesInternalNotes})`;
  return `(SELECT coalesce(
    (SELECT s.subscribed FROM subscriptions s
     WHERE s.${column} = ${row}.id AND s.user_id = ${userId}),
    CASE WHEN l.level IN (${participating}, ${watch}, ${custom}) THEN (${row}.author_id = ${userId} OR ${works}
      OR EXISTS (SELECT FROM notes c WHERE ${comments} AND c.author_id = ${userId})
      OR EXISTS (SELECT FROM mentions d
        WHERE d.${column} = ${row}.id AND d.user_id = ${userId})
      OR EXISTS (SELECT FROM mentions d JOIN notes c ON c.id = d.note_id
        WHERE ${comments} AND d.user_id = ${userId})
      OR (l.level = ${watch} AND (${isMember} OR l.is_set))) ELSE false END)
    FROM (${levelSql(row, userId)}) l)`;
}

/** The setting nearest to the project applies, then the global one. */
function levelSql(row: string, userId: string): string {
  return `SELECT coalesce(
      (array_agg(s.level ORDER BY s.project_id IS NULL, array_position(n.traversal_ids, s.namespace_id) DESC)
        FILTER (WHERE s.level <> ${global} AND num_nonnulls(s.project_id, s.namespace_id) > 0))[1],
      max(s.level) FILTER (WHERE s.level <> ${global} AND num_nonnulls(s.project_id, s.namespace_id) = 0),
      ${participating}) AS level,
      count(*) FILTER (WHERE num_nonnulls(s.project_id, s.namespace_id) > 0) > 0 AS is_set
    FROM projects p JOIN namespaces n ON n.id = p.namespace_id
      JOIN notification_settings s ON s.user_id = ${userId}
        AND (s.project_id = p.id OR s.namespace_id = ANY(n.traversal_ids)
          OR num_nonnulls(s.project_id, s.namespace_id) = 0)
    WHERE p.id = ${row}.project_id`;
}
