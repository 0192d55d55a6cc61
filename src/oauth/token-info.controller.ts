import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { presentedTokens } from '../identity/auth/credentials.js';
import { NoAuthentication } from '../core/access/access.decorator.js';
import { HttpResponse } from '../core/http/http-response.js';
import { atRoot } from '../core/http/root-path.js';
import { ApiErrors, ApiParameters } from '../core/openapi/api.decorators.js';
import { BruteForceLimiter } from '../core/rate-limits/brute-force-limiter.service.js';
import { AccessTokenDtoResponse } from './oauth.dto.js';
import { OAUTH_GUESSES, OAuthError } from './oauth-errors.js';
import { ActiveTokens, type ActiveToken } from './active-tokens.service.js';
import { NEVER_KEPT, seconds } from './token-responses.service.js';

/** Response of GET /oauth/token/info (API doc, Token information). */
export interface TokenInfoResponse {
  /** User of the token; null for client credentials. */
  resource_owner_id: number | null;
  /** Scopes of the token. */
  scope: string[];
  /** Remaining lifetime in seconds. */
  expires_in: number | null;
  /** Client of the token. */
  application: {
    /** The client_id; null if issued without one. */
    uid: string | null;
  };
  /** Unix time. */
  created_at: number;
  /** Deprecated: same as `scope`. */
  scopes: string[];
  /** Deprecated: same as `expires_in`. */
  expires_in_seconds: number | null;
}

/** Shows an access token to its holder. */
@Controller(atRoot('oauth/token/info'))
@NoAuthentication()
export class TokenInfoController {
  constructor(
    private readonly tokens: ActiveTokens,
    private readonly bruteForce: BruteForceLimiter,
  ) {}

  /**
   * Shows the access token of the parameter `access_token` or the bearer header. 401
   * `invalid_request` for unknown, expired and revoked tokens, and for other kinds of tokens.
   */
  @Get()
  @ApiParameters(AccessTokenDtoResponse)
  @ApiErrors(401, 429)
  show(@Req() request: Request): Promise<HttpResponse<TokenInfoResponse>> {
    return this.bruteForce.limitGuesses(OAUTH_GUESSES, request.ip, async () => {
      const { bearer } = presentedTokens(request);
      if (bearer === null) throw new OAuthError('invalid_request', { status: 401 });
      const token = await this.tokens.find(bearer);
      if (token === null) throw new OAuthError('invalid_request', { status: 401, isGuess: true });
      return new HttpResponse(200, presentTokenInfo(token), NEVER_KEPT);
    });
  }
}

function presentTokenInfo(token: ActiveToken): TokenInfoResponse {
  const { userId, scopes, secondsLeft, applicationUid, createdAt } = token;
  return {
    resource_owner_id: userId,
    scope: scopes,
    expires_in: secondsLeft,
    application: { uid: applicationUid },
    created_at: seconds(createdAt),
    scopes,
    expires_in_seconds: secondsLeft,
  };
}
