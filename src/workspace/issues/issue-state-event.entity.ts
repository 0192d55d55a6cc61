import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../../identity/users/user.entity.js';
import { Issue } from './issue.entity.js';

export const STATE_CHANGES = ['closed', 'reopened'] as const;
export type StateChange = (typeof STATE_CHANGES)[number];

/** That someone closed an issue or opened it again. */
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
