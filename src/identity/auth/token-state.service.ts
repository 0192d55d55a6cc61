import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../../core/clock.js';
import { InvalidTokenError } from '../../core/errors.js';
import { requestAddress } from '../../core/http/request-address.js';
import type { Credential, Viewer } from '../../core/access/viewer.js';
import { TokenLookup } from '../tokens/token-lookup.service.js';
import { TokenRevocationService } from '../tokens/token-revocation.service.js';
import { assertUserMayAct } from './user-state.js';

const EXPIRED = 'Token is expired. You can either do re-authorization or token refresh.';
const IMPERSONATION_OFF = 'Token is an impersonation token but impersonation was disabled.';
const REVOKED = 'Token was revoked. You have to re-authorize from the user.';

/** Paths of the endpoints that replace a token of any kind by a new one. */
const ROTATION_PATH = /access_tokens\/(?:\d+|self)\/rotate\/?$/;

/** Judges whether a known credential is still good, and whether its user can act. */
@Injectable()
export class TokenState {
  constructor(
    private readonly clock: Clock,
    private readonly tokens: TokenLookup,
    private readonly revocation: TokenRevocationService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Throws 401 `invalid_token` for an expired, then for a revoked token. The rotation of a revoked
   * token shows that two parties have it, so its whole family is revoked first.
   */
  async assertAlive(credential: Credential, request: Request): Promise<void> {
    const { tokenId, expiresAt, revokedAt } = credential;
    if (revokedAt !== null && ROTATION_PATH.test(request.path)) {
      await this.revocation.revokeFamily(tokenId, requestAddress(request));
    }
    if (expiresAt !== null && expiresAt <= this.clock.now()) throw new InvalidTokenError(EXPIRED);
    if (revokedAt !== null) throw new InvalidTokenError(REVOKED);
  }

  /** Throws 403 with the reason for a user whose state forbids acting. */
  assertMayAct(user: Viewer): void {
    assertUserMayAct(user, this.config.baseUrl);
  }

  /** Throws 401 `invalid_token` for an impersonation token where the instance accepts none. */
  assertAccepted(credential: Credential): void {
    if (!this.tokens.accepts(credential)) throw new InvalidTokenError(IMPERSONATION_OFF);
  }
}
