import { DateParam, IntegerParam, TextParam } from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS } from '../roles.js';

/** POST …/members; exactly one of `user_id` and `username`. */
export class AddMemberDto {
  @IntegerParam({ required: true, values: ASSIGNABLE_LEVELS })
  access_level: number;

  @IntegerParam()
  user_id?: number | null;

  @TextParam()
  username?: string | null;

  @DateParam()
  expires_at?: string | null;
}
