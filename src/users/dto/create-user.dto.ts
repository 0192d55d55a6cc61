import { InvalidParamsError } from '../../core/errors.js';
import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { UserAttributesDto } from './user-attributes.dto.js';

/** Input of `POST /users`. */
export class CreateUserDto extends UserAttributesDto {
  /** Address of the user; unique whatever its case. */
  @TextParam({ required: true })
  email: string;

  /** Full name, at most 255 characters. */
  @TextParam({ required: true })
  name: string;

  /** Name in paths and mentions; unique among users and groups whatever its case. */
  @TextParam({ required: true })
  username: string;

  /** 8 to 128 characters. */
  @TextParam()
  password?: string | null;

  /** true leaves the user without password until it is reset. */
  @BooleanParam()
  reset_password?: boolean | null;

  /**
   * true takes the address as confirmed; false mails a link to confirm it. By default as the setting
   * `email_confirmation_setting` has it for everyone.
   */
  @BooleanParam()
  skip_confirmation?: boolean | null;

  /** true leaves the user without a password that anyone knows. */
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
