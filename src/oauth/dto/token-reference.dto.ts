import { TextParam } from '../../core/params/params.decorator.js';
import { ClientCredentialsDto } from './token-request.dto.js';

/** Parameters of endpoints about one token. */
export class TokenReferenceDto extends ClientCredentialsDto {
  /** The token in question, of either kind. */
  @TextParam() token?: string;

  /** Where to look for it first. */
  @TextParam({ values: ['access_token', 'refresh_token'] }) token_type_hint?: string;
}
