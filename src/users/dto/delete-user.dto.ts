import { BooleanParam } from '../../core/params/params.decorator.js';

/** Input of `DELETE /users/:id`. */
export class DeleteUserDto {
  @BooleanParam() hard_delete?: boolean | null;
}
