import { ListParam, TextParam } from '../../core/params/params.decorator.js';

/** GET …/members and …/members/all */
export class ListMembersDto {
  @TextParam()
  query?: string | null;

  @ListParam({ of: 'integer' })
  user_ids?: number[];

  @ListParam({ of: 'integer' })
  skip_users?: number[];
}
