import { TextParam } from '../../core/params/params.decorator.js';

/** Client credentials, unless the client uses HTTP Basic. */
export class ClientCredentialsDto {
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
