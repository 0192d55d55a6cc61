import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Query parameters of a members page. */
export class ListMembersPageDto {
  /** Part of name or username. */
  @TextParam()
  search?: string | null;

  /** true adds the members of the groups above. */
  @BooleanParam()
  inherited?: boolean | null;
}
