import { Controller, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth, CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { Clock } from '../../core/clock.js';
import { ForbiddenError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CreateOwnTokenDto, CreatePersonalTokenDto } from './token.dto.js';
import { TokenCreationService } from './token-creation.service.js';
import { TokenExpiry } from './token-expiry.service.js';
import { unprocessableRefusals } from './token-refusal.js';
import { presentNewToken, type NewTokenResponse } from './token.presenter.js';

/** Making personal access tokens. */
@Controller()
@Scopes()
@ApiErrors(422)
export class UserTokensController {
  constructor(
    private readonly creation: TokenCreationService,
    private readonly expiry: TokenExpiry,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a personal access token of the viewer that can only rotate itself. The scope
   * `k8s_proxy`, which v4 clients also know here, is refused.
   */
  @Post('user/personal_access_tokens')
  @RateLimit('token_creation')
  @Ability('signed_in')
  async createOwn(
    @Input() dto: CreateOwnTokenDto,
    @CurrentUser() viewer: Viewer,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    if (viewer.userType !== 'human') throw new ForbiddenError();
    return this.createFor(viewer.id, dto, auth);
  }

  /** Creates a personal access token for a user. */
  @Post('users/:user_id/personal_access_tokens')
  @RateLimit('token_creation')
  @Ability('administrate')
  create(
    @IntegerId('user_id') userId: number,
    @Input() dto: CreatePersonalTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.createFor(userId, dto, auth);
  }

  private createFor(
    userId: number,
    { name, description, scopes, expires_at: wish }: CreatePersonalTokenDto,
    auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return unprocessableRefusals(async () => {
      const expiresAt = this.expiry.ofNewToken(wish);
      const input = { userId, name, description: description ?? '', scopes, expiresAt };
      return presentNewToken(await this.creation.create(input, auth), this.clock.now());
    });
  }
}
