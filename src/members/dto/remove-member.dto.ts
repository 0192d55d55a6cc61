import { BooleanParam } from '../../core/params/params.decorator.js';

/** DELETE …/members/:user_id */
export class RemoveMemberDto {
  /** true keeps the user's direct memberships below the group. */
  @BooleanParam()
  skip_subresources?: boolean | null;
}
