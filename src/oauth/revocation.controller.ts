import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NoAuthentication } from '../core/access/access.decorator.js';
import { HttpResponse } from '../core/http/http-response.js';
import { atRoot } from '../core/http/root-path.js';
import { ApiErrors, ApiParameters } from '../core/openapi/api.decorators.js';
import { BruteForceLimiter } from '../core/rate-limits/brute-force-limiter.service.js';
import { TokenReferenceDto } from './oauth.dto.js';
import { OAUTH_GUESSES } from './oauth-errors.js';
import { OAuthForm } from './client-authentication.service.js';
import { TokenRevocation } from './token-revocation.service.js';
import { NO_STORE } from './token-issuer.service.js';

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
