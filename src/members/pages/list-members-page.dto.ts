import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** What the address of a page of members may hold. */
export class ListMembersPageDto {
  /** Part of name or username. */
  @TextParam()
  search?: string | null;

  /** true adds the members of the groups above. */
  @BooleanParam()
  inherited?: boolean | null;
}
