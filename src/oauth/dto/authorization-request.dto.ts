import { IntegerParam, TextParam } from '../../core/params/params.decorator.js';
import { RESPONSE_MODES } from '../authorize/authorization-request.js';

/** Parameters of the authorization endpoint (RFC 6749 §4.1.1, RFC 7636, OpenID Connect Core). */
export class AuthorizationRequestDto {
  /**
   * The application's ID.
   * @example "b8b28c5501fd9d5902e01202057c30dee457cd518e85312e0945a686c1d68e39"
   */
  @TextParam({ required: true }) client_id: string;

  /**
   * Redirect URI of the application, exactly as registered.
   * @example "https://app.example.com/callback"
   */
  @TextParam({ required: true }) redirect_uri: string;

  /** Only the authorization code flow is supported. */
  @TextParam({ required: true, values: ['code'] }) response_type: string;

  /** Response mode; `query` by default. */
  @TextParam({ values: RESPONSE_MODES }) response_mode?: string;

  /**
   * Scopes, separated by spaces. Defaults to `api` if the application has it, else to all of its
   * scopes.
   * @example "read_user openid"
   */
  @TextParam({ maxLength: 2_048 }) scope?: string;

  /**
   * Opaque value that comes back with the response and protects it against CSRF.
   * @example "af0ifjsldkj"
   */
  @TextParam({ maxLength: 4_096 }) state?: string;

  /**
   * PKCE: base64url of the SHA-256 hash of the `code_verifier`. Required for applications without a
   * secret.
   * @example "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
   */
  @TextParam({ maxLength: 128 }) code_challenge?: string;

  /** PKCE: hash method of the `code_challenge`; required together with it. */
  @TextParam({ values: ['S256'] }) code_challenge_method?: string;

  /**
   * OpenID Connect: value that the ID token repeats.
   * @example "n-0S6_WzA2Mj"
   */
  @TextParam({ maxLength: 2_048 }) nonce?: string;

  /**
   * OpenID Connect, with the scope `openid` only: `login` asks for a new sign-in, `consent` for consent
   * again, separated by spaces; `none` shows no page and responds with an error instead.
   * @example "login"
   */
  @TextParam({ maxLength: 2_048 }) prompt?: string;

  /**
   * OpenID Connect, with the scope `openid` only: maximum age of the sign-in in seconds.
   * @example 3600
   */
  @IntegerParam({ min: 0 }) max_age?: number;
}
