import { TextParam } from '../../core/params/params.decorator.js';

/** Fields of the form to register with. */
export class SignUpDto {
  /** Full name. */
  @TextParam({ required: true }) name: string;
  /** Name in paths and mentions. */
  @TextParam({ required: true }) username: string;
  /** Where mails go. */
  @TextParam({ required: true }) email: string;
  @TextParam({ required: true }) password: string;
}
