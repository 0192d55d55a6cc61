import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NoAuthentication } from '../core/access/access.decorator.js';
import { HttpResponse } from '../core/http/http-response.js';
import { atRoot } from '../core/http/paths.js';
import { ApiErrors, ApiParameters } from '../core/openapi/api.decorators.js';
import { BruteForceLimiter } from '../core/rate-limits/brute-force-limiter.service.js';
import { TokenReferenceDto } from './oauth.dto.js';
import { OAUTH_GUESSES, OAuthError } from './oauth-errors.js';
import { OAuthTokensRepository, type FoundToken } from './oauth-tokens.repository.js';
import { NO_STORE, unixTime } from './token-issuer.service.js';
import { ClientAuthentication, OAuthForm } from './client-authentication.service.js';

const MISSING_AUTHORIZATION =
  'Request need to be authorized. Required parameter for authorizing request is missing or invalid.';

/** Response of POST /oauth/introspect (RFC 7662 §2.2). */
interface IntrospectionResponse {
  /** True if the token is active; inactive tokens have no other fields. */
  active: boolean;
  /** Scopes of the token, separated by spaces. */
  scope?: string;
  client_id?: string;
  /** Absent for a refresh token. */
  token_type?: 'bearer';
  /** Expiry time (Unix time). */
  exp?: number;
  /** Time of issue (Unix time). */
  iat?: number;
}

/** The introspection endpoint (RFC 7662). */
@Controller(atRoot('oauth/introspect'))
@NoAuthentication()
export class IntrospectionController {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly tokens: OAuthTokensRepository,
    private readonly bruteForce: BruteForceLimiter,
  ) {}

  /**
   * Introspects a token of the application. Requires client credentials or another access token of
   * the application; tokens of others are inactive.
   */
  @Post()
  @HttpCode(200)
  @ApiParameters(TokenReferenceDto)
  @ApiErrors(401, 429)
  introspect(@Req() request: Request): Promise<HttpResponse<IntrospectionResponse>> {
    return this.bruteForce.limitGuesses(OAUTH_GUESSES, request.ip, async () => {
      const form = new OAuthForm(request);
      const applicationId = await this.applicationOf(request, form);
      const raw = form.text('token');
      const token = raw === null ? null : await this.tokens.findActive(raw);
      const isOwn = token !== null && token.applicationId === applicationId;
      return new HttpResponse(200, isOwn ? present(token) : { active: false }, NO_STORE);
    });
  }

  /**
   * Returns the ID of the client's application, by its credentials or by an access token of its own
   * other than the one in question. Throws `invalid_request`, `invalid_client` or `invalid_token`.
   */
  private async applicationOf(request: Request, form: OAuthForm): Promise<number> {
    const client = await this.clients.find(request, form);
    if (client !== null) return client.id;
    const [, bearer] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    if (bearer === undefined) {
      throw new OAuthError('invalid_request', { description: MISSING_AUTHORIZATION });
    }
    const token = await this.tokens.findActive(bearer);
    if (token === null || token.isRefresh || token.applicationId === null) {
      throw new OAuthError('invalid_token', { isGuess: token === null });
    }
    // It would only reveal to its holder that it is active (RFC 7662 §4).
    if (form.text('token') === bearer) throw new OAuthError('invalid_token');
    return token.applicationId;
  }
}

function present(token: FoundToken): IntrospectionResponse {
  return {
    active: true,
    scope: token.scopes.join(' '),
    ...(token.applicationUid !== null && { client_id: token.applicationUid }),
    ...(!token.isRefresh && { token_type: 'bearer' as const }),
    exp: unixTime(token.expiresAt),
    iat: unixTime(token.createdAt),
  };
}
