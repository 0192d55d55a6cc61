import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Fields of the form to register with. */
export class SignUpDto {
  /** Full name. */
  @TextParam({ required: true }) name: string;
  /** Name in paths and mentions. */
  @TextParam({ required: true }) username: string;
  /** Email of the account. */
  @TextParam({ required: true }) email: string;
  @TextParam({ required: true }) password: string;
}

/** Fields of the form for a new password. */
export class PasswordChangeDto {
  /** The one that the user has. */
  @TextParam({ required: true, allowEmpty: false, maxLength: 1_024 }) current_password: string;
  /** New password. */
  @TextParam({ required: true, allowEmpty: false }) password: string;
  /** Repetition of the new password. */
  @TextParam({ required: true, allowEmpty: false }) password_confirmation: string;
}

/** Attributes of a user's own profile. */
export class ProfileDto {
  /** Full name. */
  @TextParam({ required: true, maxLength: 255 }) name: string;
  /** One of the user's confirmed addresses, or empty. */
  @TextParam({ maxLength: 255 }) public_email?: string | null;
  @TextParam({ maxLength: 255 }) bio?: string | null;
  @TextParam({ maxLength: 255 }) location?: string | null;
  /** Of a web site: `https://…` or `http://…`. */
  @TextParam({ maxLength: 2048 }) website_url?: string | null;
  @TextParam({ maxLength: 255 }) organization?: string | null;
  @TextParam({ maxLength: 255 }) job_title?: string | null;
  @TextParam({ maxLength: 50 }) pronouns?: string | null;
  /** Hides the profile's dates from other users. */
  @BooleanParam() private_profile?: boolean | null;
}

/** Parameters of `POST /user/emails`. */
export class AddEmailDto {
  /** Email address; unconfirmed until its owner follows the confirmation link. */
  @TextParam({ required: true, allowEmpty: false })
  email: string;
}
