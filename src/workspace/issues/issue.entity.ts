import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Milestone } from '../milestones/milestone.entity.js';
import { User } from '../../identity/users/user.entity.js';
import { Project, NumberedColumns } from '../projects/project.entity.js';

export type IssueState = 'opened' | 'closed';

export const ISSUE_TYPES = ['issue', 'incident'] as const;
export type IssueType = (typeof ISSUE_TYPES)[number];

export type IssueSeverity = 'unknown' | 'low' | 'medium' | 'high' | 'critical';

export type StateChange = 'closed' | 'reopened';

/** An issue of a project, numbered within it. */
@Entity('issues')
@Index('ix_issues_search', { synchronize: false })
@Index('uq_issues_project_iid', ['projectId', 'iid'], { unique: true })
@Index('ix_issues_project_created_at', ['projectId', 'createdAt', 'id'])
@Index('ix_issues_created_at', ['createdAt', 'id'])
@Index('ix_issues_opened', ['projectId', 'issueType'], {
  where: `"state" = 'opened' AND NOT "confidential"`,
})
@Index('ix_issues_opened_confidential', ['projectId', 'issueType'], {
  where: `"state" = 'opened' AND "confidential"`,
})
@Index('ix_issues_incidents', ['projectId', 'createdAt', 'id'], {
  where: `"issue_type" = 'incident'`,
})
@Index('ix_issues_milestone', ['milestoneId'], { where: '"milestone_id" IS NOT NULL' })
@Index('ix_issues_due', ['dueDate'], {
  where: `"state" = 'opened' AND "due_date" IS NOT NULL`,
})
@Index('ix_issues_labels', { synchronize: false })
@Index('ix_issues_author', ['authorId', 'id'])
@Index('ix_issues_closed_by', ['closedById'])
@Check('ck_issues_state', `"state" IN ('opened', 'closed')`)
@Check(
  'ck_issues_closed',
  `("state" = 'closed') = ("closed_at" IS NOT NULL)
        AND ("closed_by_id" IS NULL OR "closed_at" IS NOT NULL)`,
)
@Check('ck_issues_type', `"issue_type" IN ('issue', 'incident')`)
@Check('ck_issues_severity', `"severity" IN ('unknown', 'low', 'medium', 'high', 'critical')`)
@Check('ck_issues_title', `char_length("title") BETWEEN 1 AND 255`)
@Check('ck_issues_description', `char_length("description") <= 1048576`)
export class Issue extends NumberedColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_issues' })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_issues_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @ForeignKey(() => User, { name: 'fk_issues_author' })
  @Column({ type: 'bigint', name: 'author_id' })
  authorId: number;

  @Column({ type: 'text', name: 'state', default: 'opened' })
  state: IssueState;

  /** Seen by its author, its assignees, Reporters and above only. */
  @Column({ type: 'boolean', name: 'confidential', default: false })
  confidential: boolean;

  @Column({ type: 'text', name: 'issue_type', default: 'issue' })
  issueType: IssueType;

  /** Of incidents; `unknown` otherwise. */
  @Column({ type: 'text', name: 'severity', default: 'unknown' })
  severity: IssueSeverity;

  /** Names, sorted, each once. */
  @Column({ type: 'text', array: true, name: 'labels', default: '{}' })
  labels: string[];

  @Column({ type: 'date', name: 'due_date', nullable: true })
  dueDate: string | null;

  @ForeignKey(() => Milestone, { name: 'fk_issues_milestone', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'milestone_id', nullable: true })
  milestoneId: number | null;

  /** True if only members of the project can comment. */
  @Column({ type: 'boolean', name: 'discussion_locked', default: false })
  discussionLocked: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'closed_at', nullable: true })
  closedAt: Date | null;

  @ForeignKey(() => User, { name: 'fk_issues_closed_by' })
  @Column({ type: 'bigint', name: 'closed_by_id', nullable: true })
  closedById: number | null;
}

/** Assignee of an issue. */
@Entity('issue_assignees')
@Index('ix_issue_assignees_user', ['userId', 'issueId'])
export class IssueAssignee {
  @ForeignKey(() => Issue, { name: 'fk_issue_assignees_issue', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'issue_id',
    primaryKeyConstraintName: 'pk_issue_assignees',
  })
  issueId: number;

  @ForeignKey(() => User, { name: 'fk_issue_assignees_user', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'user_id',
    primaryKeyConstraintName: 'pk_issue_assignees',
  })
  userId: number;
}

/** The last number of a project's issues; numbers of deleted issues are not reused. */
@Entity('issue_counters')
export class IssueCounter {
  @ForeignKey(() => Project, { name: 'fk_issue_counters_project', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'project_id',
    primaryKeyConstraintName: 'pk_issue_counters',
  })
  projectId: number;

  @Column({ type: 'bigint', name: 'last_iid' })
  lastIid: number;
}

/** A closing or reopening of an issue. */
@Entity('issue_state_events')
@Index('ix_issue_state_events_issue', ['issueId', 'id'])
@Index('ix_issue_state_events_user', ['userId'])
@Check('ck_issue_state_events_state', `"state" IN ('closed', 'reopened')`)
export class IssueStateEvent {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_issue_state_events',
  })
  id: number;

  @ForeignKey(() => Issue, { name: 'fk_issue_state_events_issue', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'issue_id' })
  issueId: number;

  @ForeignKey(() => User, { name: 'fk_issue_state_events_user' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'text', name: 'state' })
  state: StateChange;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
