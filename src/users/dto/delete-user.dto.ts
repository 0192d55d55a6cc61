import { BooleanParam } from '../../core/params/params.decorator.js';

/** Input of `DELETE /users/:id`. */
export class DeleteUserDto {
  /** true also deletes what the user wrote, and the groups that nobody else owns. */
  @BooleanParam()
  hard_delete?: boolean | null;
}
