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
import type { MentionTargets } from '../../core/activity/notifications.repository.js';
import { queryPrepared } from '../../core/sql/pg-driver.js';
import { Namespace } from '../../identity/users/namespace.entity.js';
import { User } from '../../identity/users/user.entity.js';
import { mentionsIn } from './mention-parser.js';

/**
 * Mention in a text: of a user, a group, or all members of the project (neither is set). The text
 * is that of an issue, a merge request (title and description) or a comment: exactly one.
 */
@Entity('mentions')
@Index('ix_mentions_issue', ['issueId'], { where: '"issue_id" IS NOT NULL' })
@Index('ix_mentions_merge_request', ['mergeRequestId'], { where: '"merge_request_id" IS NOT NULL' })
@Index('ix_mentions_note', ['noteId'], { where: '"note_id" IS NOT NULL' })
@Index('ix_mentions_user', ['userId'], { where: '"user_id" IS NOT NULL' })
@Index('ix_mentions_namespace', ['namespaceId'], { where: '"namespace_id" IS NOT NULL' })
@Check('ck_mentions_text', `num_nonnulls("issue_id", "merge_request_id", "note_id") = 1`)
@Check('ck_mentions_who', `num_nonnulls("user_id", "namespace_id") <= 1`)
export class Mention {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_mentions' })
  id: number;

  @ForeignKey('Issue', { name: 'fk_mentions_issue', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  @ForeignKey('MergeRequest', { name: 'fk_mentions_merge_request', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'merge_request_id', nullable: true })
  mergeRequestId: number | null;

  @ForeignKey('Note', { name: 'fk_mentions_note', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'note_id', nullable: true })
  noteId: number | null;

  @ForeignKey(() => User, { name: 'fk_mentions_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  /** A group. */
  @ForeignKey(() => Namespace, { name: 'fk_mentions_namespace', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'namespace_id', nullable: true })
  namespaceId: number | null;
}

/** The owner of a text: an issue or merge request (title and description), or a comment. */
type MentioningText = { issueId: number } | { mergeRequestId: number } | { noteId: number };

type TextColumn = 'issue_id' | 'merge_request_id' | 'note_id';

interface MentionedRow {
  userId: number | null;
  namespaceId: number | null;
}

/** Hidden from the planner, which would plan each run of the statement for the names of a text. */
const NAMES = '(SELECT $2::text[])::text[]';

/** Locks users and groups against deletion in the order of their ids. */
const replaceSql = (column: TextColumn): string => `
  WITH people AS (
    SELECT id FROM users
    WHERE lower(username) = ANY(${NAMES}) AND user_type <> 'internal'
    ORDER BY id FOR KEY SHARE
  ), named_groups AS (
    SELECT id FROM namespaces
    WHERE lower(full_path) = ANY(${NAMES}) AND kind = 'group'
    ORDER BY id FOR KEY SHARE
  ), named AS (
    SELECT id AS user_id, NULL::bigint AS namespace_id FROM people
    UNION ALL SELECT NULL, id FROM named_groups
    UNION ALL SELECT NULL, NULL WHERE 'all' = ANY(${NAMES})
  ), present AS (
    SELECT id, user_id, namespace_id FROM mentions WHERE ${column} = $1
  ), gone AS (
    DELETE FROM mentions m USING present p WHERE m.id = p.id AND NOT EXISTS (
      SELECT FROM named n
      WHERE (n.user_id, n.namespace_id) IS NOT DISTINCT FROM (p.user_id, p.namespace_id))
  )
  INSERT INTO mentions (${column}, user_id, namespace_id)
  SELECT $1, n.user_id, n.namespace_id FROM named n WHERE NOT EXISTS (
    SELECT FROM present p
    WHERE (n.user_id, n.namespace_id) IS NOT DISTINCT FROM (p.user_id, p.namespace_id))
  RETURNING user_id AS "userId", namespace_id AS "namespaceId"`;

/** Owns every statement about mentions. */
@Injectable()
export class MentionsRepository extends Repository<Mention> {
  constructor(dataSource: DataSource) {
    super(Mention, dataSource.manager);
  }

  /** Inserts the mentions of a new text; a text without a name costs no statement. */
  async add(manager: EntityManager, text: MentioningText, body: string): Promise<void> {
    const names = mentionsIn(body);
    if (names.length > 0) await this.replaceNames(manager, text, names);
  }

  /**
   * Replaces the mentions of a text by those in `body` and returns the added ones. The caller holds
   * the row that the text belongs to. Recipients are checked for access when they are notified.
   */
  replace(manager: EntityManager, text: MentioningText, body: string): Promise<MentionTargets> {
    return this.replaceNames(manager, text, mentionsIn(body));
  }

  private async replaceNames(
    manager: EntityManager,
    text: MentioningText,
    names: readonly string[],
  ): Promise<MentionTargets> {
    const [column, id] = columnOf(text);
    const statement = { name: `replace-mentions-by-${column}`, text: replaceSql(column) };
    const added = await queryPrepared<MentionedRow>(manager, { ...statement, values: [id, names] });
    return {
      userIds: added.flatMap(({ userId }) => userId ?? []),
      namespaceIds: added.flatMap(({ namespaceId }) => namespaceId ?? []),
      all: added.some(({ userId, namespaceId }) => userId === null && namespaceId === null),
    };
  }
}

function columnOf(text: MentioningText): [TextColumn, number] {
  if ('issueId' in text) return ['issue_id', text.issueId];
  return 'noteId' in text ? ['note_id', text.noteId] : ['merge_request_id', text.mergeRequestId];
}
