import { DateParam, IntegerParam, TextParam } from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS, type AssignableLevel } from '../roles.js';

/** POST …/members; exactly one of `user_id` and `username`. */
export class AddMemberDto {
  /** 10 Guest, 15 Planner, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. */
  @IntegerParam({ required: true, values: ASSIGNABLE_LEVELS })
  access_level: AssignableLevel;

  /** The user, unless `username` names them. */
  @IntegerParam()
  user_id?: number | null;

  /** The user, unless `user_id` names them; in any case. */
  @TextParam()
  username?: string | null;

  /** Day from which the membership counts as none; absent = never. */
  @DateParam()
  expires_at?: string | null;
}
