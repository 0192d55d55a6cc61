import { IntegerParam, TextParam, BooleanParam } from '../core/params/params.decorator.js';
import { RESPONSE_MODES } from './authorize/authorization-request.js';

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

/** Client credentials, unless the client uses HTTP Basic. */
class ClientCredentialsDto {
  /**
   * The application's id.
   * @example "b8b28c5501fd9d5902e01202057c30dee457cd518e85312e0945a686c1d68e39"
   */
  @TextParam() client_id?: string;

  /** The application's secret; public applications have none. */
  @TextParam() client_secret?: string;
}

/**
 * Parameters of the token endpoint; which of them belong together depends on the grant.
 * @example {
 *   "grant_type": "authorization_code",
 *   "client_id": "b8b28c5501fd9d5902e01202057c30dee457cd518e85312e0945a686c1d68e39",
 *   "client_secret": "<secret>",
 *   "code": "<code>",
 *   "redirect_uri": "https://app.example.com/callback",
 *   "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
 * }
 */
export class TokenRequestDto extends ClientCredentialsDto {
  /** Grant type. */
  @TextParam({
    required: true,
    values: ['authorization_code', 'refresh_token', 'password', 'client_credentials'],
  })
  grant_type: string;

  /**
   * Code of the redirect (`authorization_code`).
   * @example "<code>"
   */
  @TextParam() code?: string;

  /**
   * The redirect URI of the authorization request (required for `authorization_code`; optional for
   * `refresh_token`, where it must match).
   * @example "https://app.example.com/callback"
   */
  @TextParam() redirect_uri?: string;

  /**
   * The PKCE verifier for the `code_challenge`, 43 to 128 characters of `A-Z a-z 0-9 - . _ ~`
   * (`authorization_code`, RFC 7636; optional for `refresh_token`, where it must match the
   * authorization request).
   * @example "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
   */
  @TextParam() code_verifier?: string;

  /** Refresh token to exchange (`refresh_token`). */
  @TextParam() refresh_token?: string;

  /** Name or email address of the user (`password`). */
  @TextParam() username?: string;

  /** Password of the user (`password`). */
  @TextParam() password?: string;

  /**
   * Scopes, separated by spaces; `api` by default, on refresh the previous ones.
   * @example "read_user openid"
   */
  @TextParam() scope?: string;
}

/** Parameters of endpoints about one token. */
export class TokenReferenceDto extends ClientCredentialsDto {
  /** Access token or refresh token. */
  @TextParam() token?: string;

  /** Hint about the type of the token. */
  @TextParam({ values: ['access_token', 'refresh_token'] }) token_type_hint?: string;
}

/** An access token that does not come by the bearer header. */
export class AccessTokenDtoResponse {
  /** The access token. */
  @TextParam() access_token?: string;

  /** The same; used if no other credential is present. */
  @TextParam() bearer_token?: string;
}

/** Query of WebFinger. */
export class WebfingerDto {
  /**
   * The account, as URI.
   * @example "acct:mallory@guildhall.example.com"
   */
  @TextParam({ required: true, allowEmpty: false, maxLength: 2_048 }) resource: string;
}

/** An application to be registered for the whole instance. */
export class CreateApplicationDto {
  /** Shown on the consent screen. */
  @TextParam({ required: true })
  name: string;

  /** Redirect URIs, separated by white space. */
  @TextParam({ required: true })
  redirect_uri: string;

  /** Scopes that it can request, separated by spaces. */
  @TextParam({ required: true })
  scopes: string;

  /** True if it can keep a secret; true by default. */
  @BooleanParam()
  confidential?: boolean | null;
}
