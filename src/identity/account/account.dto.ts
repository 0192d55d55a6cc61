import { TextParam } from '../../core/params/params.decorator.js';

/** Parameters of `POST /user/emails`. */
export class AddEmailDto {
  /** Email address; unconfirmed until its owner follows the confirmation link. */
  @TextParam({ required: true, allowEmpty: false })
  email: string;
}
