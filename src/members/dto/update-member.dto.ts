import { DateParam, IntegerParam } from '../../core/params/params.decorator.js';
import { ASSIGNABLE_LEVELS } from '../roles.js';

/** PUT …/members/:user_id; `expires_at` absent keeps the date, null removes it. */
export class UpdateMemberDto {
  @IntegerParam({ required: true, values: ASSIGNABLE_LEVELS })
  access_level: number;

  @DateParam()
  expires_at?: string | null;
}
