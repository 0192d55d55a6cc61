import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { UserAttributesDto } from './user-attributes.dto.js';

/** Input of `PUT /users/:id`: only what is given changes. */
export class UpdateUserDto extends UserAttributesDto {
  /** Email of the user; unique, case-insensitive. */
  @TextParam()
  email?: string | null;

  /** Accepted without effect: an email set by an administrator needs no confirmation. */
  @BooleanParam()
  skip_reconfirmation?: boolean | null;

  /** Full name, at most 255 characters. */
  @TextParam()
  name?: string | null;

  /** Name in paths and mentions; Git URLs with the former name keep working. */
  @TextParam()
  username?: string | null;

  /** 8 to 128 characters. */
  @TextParam()
  password?: string | null;
}
