import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../identity/users/user.entity.js';
import { Issue } from './issue.entity.js';

/** Someone who is to work on an issue. */
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
