import { IntegerParam } from '../../core/params/params.decorator.js';

/** POST /groups/:id/transfer; without `group_id` the group becomes a top-level group. */
export class TransferGroupDto {
  /** The new parent; absent = the group becomes a top-level group. */
  @IntegerParam()
  group_id?: number | null;
}
