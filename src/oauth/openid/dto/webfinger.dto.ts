import { TextParam } from '../../../core/params/params.decorator.js';

/** Query of WebFinger. */
export class WebfingerDto {
  /**
   * The account, as URI.
   * @example "acct:mallory@guildhall.example.com"
   */
  @TextParam({ required: true, allowEmpty: false, maxLength: 2_048 }) resource: string;
}
