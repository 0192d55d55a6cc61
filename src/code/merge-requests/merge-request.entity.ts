import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { User } from '../../identity/users/user.entity.js';
import { Milestone } from '../../workspace/milestones/milestone.entity.js';
import { Project, NumberedColumns } from '../../workspace/projects/project.entity.js';

export type MergeRequestState = 'opened' | 'closed' | 'merged';
export type MergeStatus = 'unchecked' | 'can_be_merged' | 'cannot_be_merged';

/** A proposal to merge one branch of a project into another, numbered within the project. */
@Entity('merge_requests')
@Index('ix_merge_requests_search', { synchronize: false })
@Index('ix_merge_requests_labels', { synchronize: false })
@Index('uq_merge_requests_project_iid', ['projectId', 'iid'], { unique: true })
@Index('uq_merge_requests_open', ['projectId', 'sourceBranch', 'targetBranch'], {
  unique: true,
  where: `"state" = 'opened'`,
})
@Index('ix_merge_requests_project_created_at', ['projectId', 'createdAt', 'id'])
@Index('ix_merge_requests_created_at', ['createdAt', 'id'])
@Index('ix_merge_requests_author', ['authorId', 'id'])
@Index('ix_merge_requests_milestone', ['milestoneId'], { where: '"milestone_id" IS NOT NULL' })
@Index('ix_merge_requests_closed_by', ['closedById'])
@Index('ix_merge_requests_merged_by', ['mergedById'])
@Index('ix_merge_requests_auto_merge_user', ['autoMergeUserId'], {
  where: '"auto_merge_user_id" IS NOT NULL',
})
@Index('ix_merge_requests_auto_merge_due', ['id'], { where: '"auto_merge_due"' })
@Check('ck_merge_requests_state', `"state" IN ('opened', 'closed', 'merged')`)
@Check('ck_merge_requests_closed', `("state" = 'closed') = ("closed_at" IS NOT NULL)`)
@Check('ck_merge_requests_merged', `("state" = 'merged') = ("merged_at" IS NOT NULL)`)
@Check('ck_merge_requests_branches', `"source_branch" <> "target_branch"`)
@Check(
  'ck_merge_requests_merge_status',
  `"merge_status" IN ('unchecked', 'can_be_merged', 'cannot_be_merged')`,
)
@Check('ck_merge_requests_title', `char_length("title") BETWEEN 1 AND 255`)
@Check('ck_merge_requests_description', `char_length("description") <= 1048576`)
export class MergeRequest extends NumberedColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_merge_requests',
  })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_merge_requests_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @ForeignKey(() => User, { name: 'fk_merge_requests_author' })
  @Column({ type: 'bigint', name: 'author_id' })
  authorId: number;

  @Column({ type: 'text', name: 'state', default: 'opened' })
  state: MergeRequestState;

  @Column({ type: 'text', name: 'source_branch' })
  sourceBranch: string;

  @Column({ type: 'text', name: 'target_branch' })
  targetBranch: string;

  /** Tip of the source branch; stays when the branch is deleted. */
  @Column({ type: 'text', name: 'head_sha' })
  headSha: string;

  /** Where both branches parted: with `headSha` it names the changes. */
  @Column({ type: 'text', name: 'base_sha' })
  baseSha: string;

  /** Of `checkedHeadSha` into `checkedTargetSha`; when the tips are others, it is not known. */
  @Column({ type: 'text', name: 'merge_status', default: 'unchecked' })
  mergeStatus: MergeStatus;

  @Column({ type: 'text', name: 'checked_head_sha', nullable: true })
  checkedHeadSha: string | null;

  @Column({ type: 'text', name: 'checked_target_sha', nullable: true })
  checkedTargetSha: string | null;

  /** null also when someone merged without us and without a merge commit. */
  @Column({ type: 'text', name: 'merge_commit_sha', nullable: true })
  mergeCommitSha: string | null;

  /** Names, sorted, each once. */
  @Column({ type: 'text', array: true, name: 'labels', default: '{}' })
  labels: string[];

  @ForeignKey(() => Milestone, { name: 'fk_merge_requests_milestone', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'milestone_id', nullable: true })
  milestoneId: number | null;

  /** True if the source branch is deleted on merge. */
  @Column({ type: 'boolean', name: 'remove_source_branch', default: false })
  removeSourceBranch: boolean;

  /** True if only members of the project can comment. */
  @Column({ type: 'boolean', name: 'discussion_locked', default: false })
  discussionLocked: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'merged_at', nullable: true })
  mergedAt: Date | null;

  @ForeignKey(() => User, { name: 'fk_merge_requests_merged_by' })
  @Column({ type: 'bigint', name: 'merged_by_id', nullable: true })
  mergedById: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'closed_at', nullable: true })
  closedAt: Date | null;

  @ForeignKey(() => User, { name: 'fk_merge_requests_closed_by' })
  @Column({ type: 'bigint', name: 'closed_by_id', nullable: true })
  closedById: number | null;

  /** The user who enabled auto-merge; null = not enabled. */
  @ForeignKey(() => User, { name: 'fk_merge_requests_auto_merge_user', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'auto_merge_user_id', nullable: true })
  autoMergeUserId: number | null;

  /** The head when auto-merge was enabled; another head disables it. */
  @Column({ type: 'text', name: 'auto_merge_sha', nullable: true })
  autoMergeSha: string | null;

  /** Merge commit message; null = the default one. */
  @Column({ type: 'text', name: 'auto_merge_message', nullable: true })
  autoMergeMessage: string | null;

  /** Its pipeline has succeeded: the worker merges it. */
  @Column({ type: 'boolean', name: 'auto_merge_due', default: false })
  autoMergeDue: boolean;
}

/** The highest number that a project has given to a merge request; deleted ones keep theirs. */
@Entity('merge_request_counters')
export class MergeRequestCounter {
  @ForeignKey(() => Project, { name: 'fk_merge_request_counters_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_merge_request_counters',
  })
  projectId: number;

  @Column({ type: 'bigint', name: 'last_iid' })
  lastIid: number;
}

export type MergeRequestRole = 'assignee' | 'reviewer';

/** Assignee or reviewer of a merge request. */
@Entity('merge_request_people')
@Index('ix_merge_request_people_user', ['userId', 'role', 'mergeRequestId'])
@Check('ck_merge_request_people_role', `"role" IN ('assignee', 'reviewer')`)
export class MergeRequestPerson {
  @ForeignKey(() => MergeRequest, {
    name: 'fk_merge_request_people_merge_request',
    onDelete: 'CASCADE',
  })
  @PrimaryColumn({
    type: 'bigint',
    name: 'merge_request_id',
    primaryKeyConstraintName: 'pk_merge_request_people',
  })
  mergeRequestId: number;

  @ForeignKey(() => User, { name: 'fk_merge_request_people_user', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'user_id',
    primaryKeyConstraintName: 'pk_merge_request_people',
  })
  userId: number;

  @PrimaryColumn({
    type: 'text',
    name: 'role',
    primaryKeyConstraintName: 'pk_merge_request_people',
  })
  role: MergeRequestRole;
}
