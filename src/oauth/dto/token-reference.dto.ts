import { TextParam } from '../../core/params/params.decorator.js';
import { ClientCredentialsDto } from './token-request.dto.js';

/** Parameters of endpoints about one token. */
export class TokenReferenceDto extends ClientCredentialsDto {
  /** Access token or refresh token. */
  @TextParam() token?: string;

  /** Hint about the type of the token. */
  @TextParam({ values: ['access_token', 'refresh_token'] }) token_type_hint?: string;
}
