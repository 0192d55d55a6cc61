import { TextParam } from '../../core/params/params.decorator.js';

/** An access token that does not come by the bearer header. */
export class PresentedAccessTokenDto {
  /** The access token. */
  @TextParam() access_token?: string;

  /** The same; used if no other credential is present. */
  @TextParam() bearer_token?: string;
}
