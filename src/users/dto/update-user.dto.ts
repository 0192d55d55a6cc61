import { TextParam } from '../../core/params/params.decorator.js';
import { UserAttributesDto } from './user-attributes.dto.js';

/** Input of `PUT /users/:id`: only what is given changes. */
export class UpdateUserDto extends UserAttributesDto {
  @TextParam() email?: string | null;
  @TextParam() name?: string | null;
  @TextParam() username?: string | null;
  @TextParam() password?: string | null;
}
