import { InvalidParamsError } from '../../core/errors.js';
import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { UserAttributesDto } from './user-attributes.dto.js';

/** Input of `POST /users`. */
export class CreateUserDto extends UserAttributesDto {
  /** Email of the user; unique, case-insensitive. */
  @TextParam({ required: true })
  email: string;

  /** Full name, at most 255 characters. */
  @TextParam({ required: true })
  name: string;

  /** Name in paths and mentions; unique among users and groups, case-insensitive. */
  @TextParam({ required: true })
  username: string;

  /** 8 to 128 characters. */
  @TextParam()
  password?: string | null;

  /** Creates the user without a password, until they reset it. */
  @BooleanParam()
  reset_password?: boolean | null;

  /**
   * Skips email confirmation; false sends a confirmation link. The default depends on the setting
   * `email_confirmation_setting`.
   */
  @BooleanParam()
  skip_confirmation?: boolean | null;

  /** Sets a random password. */
  @BooleanParam()
  force_random_password?: boolean | null;
}

const PASSWORD_WAYS = ['password', 'reset_password', 'force_random_password'] as const;

/** Throws 400 unless one of the ways to a password is named. */
export function assertPasswordWay(dto: CreateUserDto): void {
  if (PASSWORD_WAYS.some((way) => dto[way] !== undefined && dto[way] !== null)) return;
  throw new InvalidParamsError([
    `${PASSWORD_WAYS.join(', ')} are missing, at least one parameter must be provided`,
  ]);
}

/** Returns the password to set, or null if the user sets one by a reset link. */
export function chosenPassword(dto: CreateUserDto): string | null {
  if (dto.reset_password === true || dto.force_random_password === true) return null;
  return dto.password ?? '';
}
