import { TextParam } from '../../params/params.decorator.js';

/** Which failed mails are shown, or sent again. */
export class FailedMailsDto {
  /** Kind of the emails: `password_reset`, … */
  @TextParam()
  kind?: string | null;

  /** Part of the recipient's address. */
  @TextParam()
  search?: string | null;
}
