import { DateParam, IntegerParam } from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS, type AssignableLevel } from '../roles.js';

/** PUT …/members/:user_id; `expires_at` absent keeps the date, null removes it. */
export class UpdateMemberDto {
  /** 10 Guest, 15 Planner, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner. */
  @IntegerParam({ required: true, values: ASSIGNABLE_LEVELS })
  access_level: AssignableLevel;

  /** Day from which the membership counts as none; null = never. */
  @DateParam()
  expires_at?: string | null;
}
