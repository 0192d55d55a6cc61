import { BooleanParam } from '../../core/params/params.decorator.js';

/** Input of `DELETE /users/:id`. */
export class DeleteUserDto {
  /** Also deletes the user's contributions and the groups without another owner. */
  @BooleanParam()
  hard_delete?: boolean | null;
}
