import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';
import { Auth, CurrentUser } from '../../core/access/viewer.decorator.js';
import { Clock } from '../../core/clock.js';
import { NotFoundError, UnauthorizedError } from '../../core/errors.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import type { TokenRange } from './sql/token-filters.js';
import { ListPersonalTokensDto, RotateTokenDto } from './token.dto.js';
import { MANAGED_KINDS, OWN_KINDS, type TokenDetails } from './token-details.js';
import { TokenRevocationService } from './token-revocation.service.js';
import { TokenRotationService } from './token-rotation.service.js';
import {
  presentNewToken,
  presentToken,
  type NewTokenResponse,
  type TokenResponse,
} from './token.presenter.js';

/** Access tokens: one's own, or for administrators everyone's. */
@Controller('personal_access_tokens')
@Scopes()
@Ability('signed_in')
export class PersonalTokensController {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly users: UsersRepository,
    private readonly rotation: TokenRotationService,
    private readonly revocation: TokenRevocationService,
    private readonly clock: Clock,
  ) {}

  /** Lists the viewer's access tokens, or for administrators all. */
  @Get()
  async list(
    @Input() filters: ListPersonalTokensDto,
    @CurrentUser() viewer: Viewer,
    @Pages() paging: Paging,
  ): Promise<TokenResponse[]> {
    const range = await this.rangeOf(viewer, filters.user_id ?? undefined);
    const page = await this.tokens.list(range, filters, paging);
    const now = this.clock.now();
    return paging.write(mapPage(page, (token) => presentToken(token, now)));
  }

  /** Shows one access token. */
  @Get(':id')
  async show(@IntegerId('id') id: number, @CurrentUser() viewer: Viewer): Promise<TokenResponse> {
    return presentToken(await this.findManaged(id, viewer), this.clock.now());
  }

  /** Rotates an access token. */
  @Post(':id/rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  async rotate(
    @IntegerId('id') id: number,
    @Input() { expires_at: expiresAt }: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    const { id: tokenId } = await this.findManaged(id, auth.viewer as Viewer);
    const minted = await this.rotation.rotate({ tokenId, expiresAt }, auth);
    return presentNewToken(minted, this.clock.now());
  }

  /** Revokes an access token. */
  @Delete(':id')
  @HttpCode(204)
  async revoke(
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const token = await this.findManaged(id, auth.viewer as Viewer);
    await this.revocation.revoke(token.id, auth, preconditions);
  }

  /**
   * Returns the token if the viewer manages it: administrators every token, others their own.
   * Throws 404 for administrators and 401 for others, who do not learn that there is none.
   */
  private async findManaged(id: number, viewer: Viewer): Promise<TokenDetails> {
    const range = viewer.admin ? { kinds: MANAGED_KINDS } : { kinds: OWN_KINDS, userId: viewer.id };
    const token = await this.tokens.findInRange(id, range);
    if (token !== null) return token;
    throw viewer.admin ? new NotFoundError() : new UnauthorizedError();
  }

  /** Throws 401 for asking for the tokens of others, to administrators 404 for unknown users. */
  private async rangeOf(viewer: Viewer, userId: number | undefined): Promise<TokenRange> {
    if (!viewer.admin) {
      if (userId !== undefined && userId !== viewer.id) throw new UnauthorizedError();
      return { kinds: OWN_KINDS, userId: viewer.id };
    }
    if (userId === undefined) return { kinds: MANAGED_KINDS };
    await this.users.assertExists(userId);
    return { kinds: MANAGED_KINDS, userId };
  }
}
