import { ListParam, TextParam } from '../../core/params/params.decorator.js';

/** GET …/members and …/members/all */
export class ListMembersDto {
  /** Part of name or username. */
  @TextParam()
  query?: string | null;

  /** Only these users. */
  @ListParam({ of: 'integer' })
  user_ids?: number[];

  /** All but these users. */
  @ListParam({ of: 'integer' })
  skip_users?: number[];
}
