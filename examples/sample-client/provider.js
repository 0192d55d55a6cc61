import * as openid from 'openid-client';

/** @typedef {import('./settings.js').Settings} Settings */

/**
 * State of a sign-in between the redirect to Guildhall and the callback.
 * @typedef {{ state: string, nonce: string, codeVerifier: string }} Attempt
 */

/**
 * Result of a sign-in.
 * @typedef {object} Tokens
 * @property {string} accessToken
 * @property {string | undefined} refreshToken
 * @property {Date} expiresAt
 */

/** Guildhall as the client sees it: every step of OpenID Connect that it needs. */
export class Provider {
  /** @type {openid.Configuration} */
  #configuration;
  /** @type {Settings} */
  #settings;

  /**
   * @param {openid.Configuration} configuration
   * @param {Settings} settings
   */
  constructor(configuration, settings) {
    this.#configuration = configuration;
    this.#settings = settings;
  }

  /**
   * Reads the description of the provider.
   * @param {Settings} settings
   */
  static async discover(settings) {
    const { issuer, clientId, clientSecret } = settings;
    const authentication = clientSecret ? openid.ClientSecretBasic(clientSecret) : openid.None();
    // Tokens over plain HTTP are for trying things out on one machine only.
    const execute = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
    const configuration = await openid.discovery(issuer, clientId, {}, authentication, {
      execute: [...execute, openid.enableNonRepudiationChecks],
    });
    return new Provider(configuration, settings);
  }

  /**
   * Where to send the person, and what to remember until they come back.
   * @param {string} redirectUri
   * @returns {Promise<{ url: URL, attempt: Attempt }>}
   */
  async begin(redirectUri) {
    const attempt = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      codeVerifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(this.#configuration, {
      redirect_uri: redirectUri,
      scope: this.#settings.scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, attempt };
  }

  /**
   * Exchanges the code; checks state, issuer, nonce and the signature of the id_token on the way.
   * @param {URL} url where the person came back to
   * @param {Attempt} attempt
   * @returns {Promise<{ subject: string, tokens: Tokens }>}
   */
  async finish(url, { state, nonce, codeVerifier }) {
    const answer = await openid.authorizationCodeGrant(this.#configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    return { subject: answer.claims()?.sub ?? '', tokens: tokensOf(answer) };
  }

  /**
   * Returns the signed-in user. The subject must be the one of the id_token.
   * @param {Tokens} tokens
   * @param {string} subject
   */
  profile({ accessToken }, subject) {
    return openid.fetchUserInfo(this.#configuration, accessToken, subject);
  }

  /**
   * The user as the REST API shows them; the status tells whether the token still works.
   * @param {Tokens} tokens
   * @returns {Promise<{ status: number, body: any }>}
   */
  async currentUser({ accessToken }) {
    const response = await fetch(new URL('/api/v4/user', this.#settings.issuer), {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    return { status: response.status, body: await response.json() };
  }

  /**
   * New tokens for the old ones, which end with that.
   * @param {Tokens} tokens
   */
  async refresh({ refreshToken }) {
    if (!refreshToken) throw new Error('there is no refresh token');
    return tokensOf(await openid.refreshTokenGrant(this.#configuration, refreshToken));
  }

  /**
   * Ends both tokens.
   * @param {Tokens} tokens
   */
  revoke({ accessToken }) {
    return openid.tokenRevocation(this.#configuration, accessToken);
  }
}

/**
 * Returns Guildhall's description of an error.
 * @param {unknown} error
 */
export function reasonOf(error) {
  if (error instanceof openid.WWWAuthenticateChallengeError) {
    const { error: code, error_description: text } = error.cause[0]?.parameters ?? {};
    return `${code}: ${text}`;
  }
  const isRefusal =
    error instanceof openid.ResponseBodyError || error instanceof openid.AuthorizationResponseError;
  if (isRefusal) return `${error.error}: ${error.error_description}`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * @param {openid.TokenEndpointResponse} answer
 * @returns {Tokens}
 */
function tokensOf({ access_token: accessToken, refresh_token: refreshToken, expires_in: seconds }) {
  return {
    accessToken,
    refreshToken,
    expiresAt: new Date(Date.now() + (seconds ?? 0) * 1_000),
  };
}
