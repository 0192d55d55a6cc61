import { BooleanParam } from '../../core/params/params.decorator.js';

/** Input of `DELETE /users/:id`. */
export class DeleteUserDto {
  /** true would also delete what the user wrote; not supported. */
  @BooleanParam()
  hard_delete?: boolean | null;
}
