import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NoAuthentication } from '../core/access/access.decorator.js';
import { HttpResponse } from '../core/http/http-response.js';
import { atRoot } from '../core/http/root-path.js';
import { ApiErrors, ApiParameters } from '../core/openapi/api.decorators.js';
import { BruteForceLimiter } from '../core/rate-limits/brute-force-limiter.service.js';
import { TokenReferenceDto } from './oauth.dto.js';
import { OAUTH_GUESSES } from './oauth-errors.js';
import { IntrospectionAccess } from './introspection-access.service.js';
import { OAuthForm } from './oauth-form.js';
import { OAuthTokensRepository, type FoundToken } from './oauth-tokens.repository.js';
import { NEVER_KEPT, seconds } from './token-responses.service.js';

/** Response of POST /oauth/introspect (RFC 7662 §2.2). */
export interface IntrospectionResponse {
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
    private readonly access: IntrospectionAccess,
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
      const applicationId = await this.access.applicationOf(request, form);
      const raw = form.text('token');
      const token = raw === null ? null : await this.tokens.findActive(raw);
      const isOwn = token !== null && token.applicationId === applicationId;
      return new HttpResponse(200, isOwn ? present(token) : { active: false }, NEVER_KEPT);
    });
  }
}

function present(token: FoundToken): IntrospectionResponse {
  return {
    active: true,
    scope: token.scopes.join(' '),
    ...(token.applicationUid !== null && { client_id: token.applicationUid }),
    ...(!token.isRefresh && { token_type: 'bearer' as const }),
    exp: seconds(token.expiresAt),
    iat: seconds(token.createdAt),
  };
}
