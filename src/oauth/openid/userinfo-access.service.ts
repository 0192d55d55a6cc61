import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ApiLimits, type Exchange } from '../../identity/auth/api-limits.service.js';
import { presentedTokens } from '../../identity/auth/credentials.js';
import { assertUserMayAct } from '../../identity/auth/user-state.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { ANONYMOUS } from '../../core/access/auth-context.js';
import type { Credential } from '../../core/access/viewer.js';
import { Clock } from '../../core/clock.js';
import { ForbiddenError, InvalidTokenError, UnauthorizedError } from '../../core/errors.js';
import { requestAddress } from '../../core/http/request-address.js';
import { TokenLookup } from '../../identity/tokens/token-lookup.service.js';

/** Decides whether a request can read the claims of its token's user. */
@Injectable()
export class UserinfoAccess {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly limits: ApiLimits,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns the OAuth token of the request. Throws 401 for a missing or invalid one, 403 without
   * the scope `openid` or for an inactive user, 429 above the rate limit.
   */
  async credentialOf(exchange: Exchange): Promise<Credential> {
    if (!this.limits.enabled) return this.judge(exchange.request);
    this.limits.refuseGuessing(exchange.request);
    const credential = await this.judgeCounted(exchange);
    const ip = requestAddress(exchange.request);
    await this.limits.countRequest(
      { ...ANONYMOUS, viewer: credential.user, ip },
      undefined,
      exchange,
    );
    return credential;
  }

  private async judgeCounted(exchange: Exchange): Promise<Credential> {
    try {
      return await this.judge(exchange.request);
    } catch (error) {
      await this.limits.countRefusal(error, exchange);
      throw error;
    }
  }

  private async judge(request: Request): Promise<Credential> {
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
