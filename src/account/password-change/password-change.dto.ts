import { TextParam } from '../../core/params/params.decorator.js';

/** Fields of the form for a new password. */
export class PasswordChangeDto {
  /** The one that the user has. */
  @TextParam({ required: true, allowEmpty: false, maxLength: 1_024 }) current_password: string;
  /** The one that the user wants. */
  @TextParam({ required: true, allowEmpty: false }) password: string;
  /** Repetition of the new password. */
  @TextParam({ required: true, allowEmpty: false }) password_confirmation: string;
}
