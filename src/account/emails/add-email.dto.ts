import { TextParam } from '../../core/params/params.decorator.js';

/** Parameters of `POST /user/emails`. */
export class AddEmailDto {
  /** The address; it counts once the link that is mailed to it is followed. */
  @TextParam({ required: true, allowEmpty: false })
  email: string;
}
