import { Check, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../identity/users/user.entity.js';
import { MergeRequest } from './merge-request.entity.js';

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
