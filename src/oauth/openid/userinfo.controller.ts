import { Controller, Get, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { ANONYMOUS, type Credential } from '../../core/access/auth-context.js';
import {
  ApiError,
  InvalidTokenError,
  UnauthorizedError,
  ForbiddenError,
} from '../../core/errors.js';
import { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { ApiEmptyResponses, ApiErrors } from '../../core/openapi/api.decorators.js';
import { type Exchange, ApiLimits } from '../../identity/auth/api-limits.service.js';
import { presentedTokens } from '../../identity/auth/credentials.js';
import { assertUserMayAct } from '../../identity/auth/user-state.js';
import { Clock } from '../../core/clock.js';
import { requestAddress } from '../../core/http/request-address.js';
import { TokenLookup } from '../../identity/tokens/token-lookup.service.js';
import { presentUserinfo, type UserinfoResponse } from './claims.js';
import { ClaimsRepository } from './claims.repository.js';

const INVALID = new InvalidTokenError('The access token is invalid');

/** Claims about the user of an access token (OpenID Connect Core §5.3). */
@Controller(atRoot('oauth/userinfo'))
@NoAuthentication()
export class UserinfoController {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly limits: ApiLimits,
    private readonly claims: ClaimsRepository,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns the claims of the OAuth token's user. Requires the scope `openid`. */
  @Get()
  @Header('Cache-Control', 'no-store')
  @ApiErrors(429)
  @ApiEmptyResponses(401, 403)
  show(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserinfoResponse | HttpResponse> {
    return this.answer({ request, response });
  }

  /** Returns the same claims. The token can also be sent in a form, as `access_token`. */
  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiErrors(429)
  @ApiEmptyResponses(401, 403)
  ask(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserinfoResponse | HttpResponse> {
    return this.answer({ request, response });
  }

  private async answer(exchange: Exchange): Promise<UserinfoResponse | HttpResponse> {
    try {
      const { user, scopes } = await this.authenticate(exchange);
      const member = await this.claims.findMember(user.id);
      if (member === null) throw new UnauthorizedError();
      return presentUserinfo(member, scopes, this.config);
    } catch (error) {
      return withoutBody(error);
    }
  }

  /**
   * Returns the OAuth token of the request. Throws 401 for a missing or invalid one, 403 without
   * the scope `openid` or for an inactive user, 429 above the rate limit.
   */
  private async authenticate(exchange: Exchange): Promise<Credential> {
    const { request } = exchange;
    if (!this.limits.enabled) return this.findCredential(request);
    this.limits.refuseGuessing(request);
    const credential = await this.findCredential(request).catch(async (error: unknown) => {
      await this.limits.countRefusal(error, exchange);
      throw error;
    });
    const auth = { ...ANONYMOUS, viewer: credential.user, ip: requestAddress(request) };
    await this.limits.countRequest(auth, undefined, exchange);
    return credential;
  }

  private async findCredential(request: Request): Promise<Credential> {
    const { bearer } = presentedTokens(request);
    const credential = bearer === null ? null : await this.tokens.findAny(bearer);
    if (credential?.kind !== 'oauth') throw new UnauthorizedError();
    const { revokedAt, expiresAt } = credential;
    if (revokedAt !== null) throw new InvalidTokenError('The access token was revoked');
    if (expiresAt !== null && expiresAt <= this.clock.now()) {
      throw new InvalidTokenError('The access token expired');
    }
    if (!credential.scopes.includes('openid')) throw new ForbiddenError();
    assertUserMayAct(credential.user, this.config.baseUrl);
    return credential;
  }
}

/** Errors have headers only, as existing clients expect; others are rethrown. */
function withoutBody(error: unknown): HttpResponse {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 403) return new HttpResponse(403, undefined);
  if (error.status !== 401) throw error;
  const { headers } = error instanceof InvalidTokenError ? error : INVALID;
  return new HttpResponse(401, undefined, { ...headers, 'Cache-Control': 'no-store' });
}
