import { TextParam } from '../../core/params/params.decorator.js';

/** Parameters of `POST /user/emails`. */
export class AddEmailDto {
  /** Email address; unconfirmed until its owner follows the confirmation link. */
  @TextParam({ required: true, allowEmpty: false })
  email: string;
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
