import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NoAuthentication } from '../core/access/access.decorator.js';
import { Clock } from '../core/clock.js';
import { ApiError } from '../core/errors.js';
import { HttpResponse } from '../core/http/http-response.js';
import { atRoot } from '../core/http/paths.js';
import { processCounter } from '../core/metrics/metrics-registry.js';
import { ApiErrors, ApiParameters } from '../core/openapi/api.decorators.js';
import { BruteForceLimiter } from '../core/rate-limits/brute-force-limiter.service.js';
import { ThrottledError } from '../core/rate-limits/tally.js';
import { presentedTokens } from '../identity/auth/credentials.js';
import { mayUserAct } from '../identity/auth/user-state.js';
import { TokenLookup } from '../identity/tokens/token-lookup.service.js';
import { OAuthTokensRepository, type FoundToken } from './oauth-tokens.repository.js';
import { AccessTokenDtoResponse, TokenReferenceDto, TokenRequestDto } from './oauth.dto.js';
import { AuthorizationCodeGrant } from './grants/authorization-code.grant.js';
import { ClientCredentialsGrant } from './grants/client-credentials.grant.js';
import type { Grant } from './grants/grant.js';
import { PasswordGrant } from './grants/password.grant.js';
import { RefreshTokenGrant } from './grants/refresh-token.grant.js';
import { OAUTH_GUESSES, missingParameter, OAuthError } from './oauth-errors.js';
import { OAuthForm } from './client-authentication.service.js';
import { NO_STORE, unixTime, type OAuthTokenResponse } from './token-issuer.service.js';
import { TokenRevocation } from './token-revocation.service.js';

const requests = processCounter({
  name: 'guildhall_oauth_token_requests_total',
  help: 'Requests to the token endpoint by grant type and outcome: issued or the error code',
  labelNames: ['grant_type', 'outcome'],
});

/** The token endpoint (RFC 6749 §3.2). */
@Controller(atRoot('oauth/token'))
@NoAuthentication()
export class TokenController {
  private readonly grants: ReadonlyMap<string, Grant>;

  constructor(
    private readonly bruteForce: BruteForceLimiter,
    code: AuthorizationCodeGrant,
    refresh: RefreshTokenGrant,
    password: PasswordGrant,
    client: ClientCredentialsGrant,
  ) {
    this.grants = new Map<string, Grant>([
      ['authorization_code', code],
      ['refresh_token', refresh],
      ['password', password],
      ['client_credentials', client],
    ]);
  }

  /** Issues an access token for a code, a refresh token, a password or client credentials. */
  @Post()
  @HttpCode(200)
  @ApiParameters(TokenRequestDto)
  @ApiErrors(401, 429, 503)
  async issue(@Req() request: Request): Promise<HttpResponse<OAuthTokenResponse>> {
    let grantType = 'other';
    try {
      const response = await this.bruteForce.limitGuesses(OAUTH_GUESSES, request.ip, async () => {
        const form = new OAuthForm(request);
        const type = form.text('grant_type');
        if (type === null) throw missingParameter('grant_type');
        const grant = this.grants.get(type);
        if (grant === undefined) throw new OAuthError('unsupported_grant_type');
        grantType = type;
        return grant.answer({ request, form });
      });
      requests.inc({ grant_type: grantType, outcome: 'issued' });
      return response;
    } catch (error) {
      requests.inc({ grant_type: grantType, outcome: outcomeOf(error) });
      throw error;
    }
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof OAuthError) return error.code;
  if (error instanceof ThrottledError) return 'limited';
  return error instanceof ApiError ? `status_${error.status}` : 'server_error';
}

/** The revocation endpoint (RFC 7009). */
@Controller(atRoot('oauth/revoke'))
@NoAuthentication()
export class RevocationController {
  constructor(
    private readonly revocation: TokenRevocation,
    private readonly bruteForce: BruteForceLimiter,
  ) {}

  /**
   * Revokes an access token or refresh token together with the other one of its pair. 200 also for
   * unknown tokens; 403 for tokens of other clients.
   */
  @Post()
  @HttpCode(200)
  @ApiParameters(TokenReferenceDto)
  @ApiErrors(401, 403, 429)
  revoke(@Req() request: Request): Promise<HttpResponse<Record<string, never>>> {
    return this.bruteForce.limitGuesses(OAUTH_GUESSES, request.ip, async () => {
      await this.revocation.revoke(request, new OAuthForm(request));
      return new HttpResponse(200, {}, NO_STORE);
    });
  }
}

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
