import { IntegerParam } from '../../core/params/params.decorator.js';

/** POST /groups/:id/transfer; without `group_id` the group becomes a top-level group. */
export class TransferGroupDto {
  @IntegerParam()
  group_id?: number | null;
}
