import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { UserAttributesDto } from './user-attributes.dto.js';

/** Input of `PUT /users/:id`: only what is given changes. */
export class UpdateUserDto extends UserAttributesDto {
  /** Address of the user; unique whatever its case. */
  @TextParam()
  email?: string | null;

  /** A new address holds at once whatever this says: an administrator gave it. */
  @BooleanParam()
  skip_reconfirmation?: boolean | null;

  /** Full name, at most 255 characters. */
  @TextParam()
  name?: string | null;

  /** Name in paths and mentions; repositories keep answering under the former one. */
  @TextParam()
  username?: string | null;

  /** 8 to 128 characters. */
  @TextParam()
  password?: string | null;
}
