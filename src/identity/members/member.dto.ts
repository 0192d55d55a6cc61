import {
  BooleanParam,
  DateParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS, type AssignableLevel } from './roles.js';

/** POST …/members; exactly one of `user_id` and `username`. */
export class AddMemberDto {
  /** 10 Guest, 15 Planner, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. */
  @IntegerParam({ required: true, values: ASSIGNABLE_LEVELS })
  access_level: AssignableLevel;

  /** User ID, unless `username` is given. */
  @IntegerParam()
  user_id?: number | null;

  /** Username, unless `user_id` is given; case-insensitive. */
  @TextParam()
  username?: string | null;

  /** Expiry date of the membership; absent = none. */
  @DateParam()
  expires_at?: string | null;
}

/** GET …/members and …/members/all */
export class ListMembersDto {
  /** Part of name or username. */
  @TextParam()
  query?: string | null;

  /** Only these users. */
  @ListParam({ of: 'integer' })
  user_ids?: number[];

  /** Excludes these users. */
  @ListParam({ of: 'integer' })
  skip_users?: number[];
}

/** DELETE …/members/:user_id */
export class RemoveMemberDto {
  /** true keeps the user's direct memberships below the group. */
  @BooleanParam()
  skip_subresources?: boolean | null;
}

/** PUT …/members/:user_id; `expires_at` absent keeps the date, null removes it. */
export class UpdateMemberDto {
  /** 10 Guest, 15 Planner, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. */
  @IntegerParam({ required: true, values: ASSIGNABLE_LEVELS })
  access_level: AssignableLevel;

  /** Expiry date of the membership; null = none. */
  @DateParam()
  expires_at?: string | null;
}

/** PUT …/access_requests/:user_id/approve */
export class ApproveAccessRequestDto {
  /** 10 Guest, 15 Planner, 20 Reporter, 30 Developer (default), 40 Maintainer, 50 Owner. */
  @IntegerParam({ values: ASSIGNABLE_LEVELS })
  access_level?: AssignableLevel | null;
}

/** Query parameters of a members page. */
export class ListMembersPageDto {
  /** Part of name or username. */
  @TextParam()
  search?: string | null;

  /** false leaves out the members of the groups above. */
  @BooleanParam()
  inherited?: boolean | null;
}
