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
import { NO_STORE, unixTime } from './token-issuer.service.js';
import { mayUserAct } from '../identity/auth/user-state.js';
import { Clock } from '../core/clock.js';
import { TokenLookup } from '../identity/tokens/token-lookup.service.js';
import { OAuthTokensRepository, type FoundToken } from './oauth-tokens.repository.js';

/** Response of GET /oauth/token/info (API doc, Token information). */
interface TokenInfoResponse {
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
    private readonly lookup: TokenLookup,
    private readonly tokens: OAuthTokensRepository,
    private readonly clock: Clock,
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
      const token = await this.findActive(bearer);
      if (token === null) throw new OAuthError('invalid_request', { status: 401, isGuess: true });
      return new HttpResponse(200, token, NO_STORE);
    });
  }

  /**
   * Returns null for tokens that are unknown, expired, revoked, not OAuth tokens, or of an inactive
   * user. Usually needs no query; tokens without a user are not in the cache.
   */
  private async findActive(raw: string): Promise<TokenInfoResponse | null> {
    const credential = await this.lookup.findAny(raw);
    if (credential === null) return this.findWithoutUser(raw);
    const { kind, user, scopes, revokedAt, expiresAt, applicationUid, createdAt } = credential;
    if (kind !== 'oauth' || revokedAt !== null || !mayUserAct(user)) return null;
    const secondsLeft = expiresAt === null ? null : this.secondsUntil(expiresAt);
    if (secondsLeft !== null && secondsLeft <= 0) return null;
    return toTokenInfoResponse({ userId: user.id, scopes, applicationUid, createdAt }, secondsLeft);
  }

  /** Finds tokens of client credentials, which the API does not accept. */
  private async findWithoutUser(raw: string): Promise<TokenInfoResponse | null> {
    const token = await this.tokens.findActive(raw);
    if (token === null || token.userId !== null || token.isRefresh) return null;
    return toTokenInfoResponse(token, this.secondsUntil(token.expiresAt));
  }

  private secondsUntil(end: Date): number {
    return Math.ceil((end.getTime() - this.clock.now().getTime()) / 1_000);
  }
}

function toTokenInfoResponse(
  token: Pick<FoundToken, 'userId' | 'scopes' | 'applicationUid' | 'createdAt'>,
  secondsLeft: number | null,
): TokenInfoResponse {
  const { userId, scopes, applicationUid, createdAt } = token;
  return {
    resource_owner_id: userId,
    scope: scopes,
    expires_in: secondsLeft,
    application: { uid: applicationUid },
    created_at: unixTime(createdAt),
    scopes,
    expires_in_seconds: secondsLeft,
  };
}
