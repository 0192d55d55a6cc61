import { Controller, Get, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { ApiError, InvalidTokenError, UnauthorizedError } from '../../core/errors.js';
import { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { ApiEmptyResponses, ApiErrors } from '../../core/openapi/api.decorators.js';
import type { Exchange } from '../../identity/auth/api-limits.service.js';
import { ClaimsRepository } from './claims.repository.js';
import { presentUserinfo, type UserinfoResponse } from './claims.js';
import { UserinfoAccess } from './userinfo-access.service.js';

const INVALID = new InvalidTokenError('The access token is invalid');

/** Claims about the user of an access token (OpenID Connect Core §5.3). */
@Controller(atRoot('oauth/userinfo'))
@NoAuthentication()
export class UserinfoController {
  constructor(
    private readonly access: UserinfoAccess,
    private readonly claims: ClaimsRepository,
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

  /** Tells the same. The token can also be sent in a form, as `access_token`. */
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
      const { user, scopes } = await this.access.credentialOf(exchange);
      const member = await this.claims.findMember(user.id);
      if (member === null) throw new UnauthorizedError();
      return presentUserinfo(member, scopes, this.config);
    } catch (error) {
      return withoutBody(error);
    }
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
