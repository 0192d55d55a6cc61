import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import {
  Auth,
  CurrentUser,
  type AuthContext,
  type Viewer,
} from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import {
  NotFoundError,
  UnauthorizedError,
  BadRequestError,
  ForbiddenError,
} from '../../core/errors.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../core/sql/replica/request-reads.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import type { TokenRange } from './sql/access-tokens.js';
import { TokenExpiry } from './token-expiry.service.js';
import { unprocessableRefusals } from './token-refusal.js';
import {
  ListPersonalTokensDto,
  RotateTokenDto,
  CreateOwnTokenDto,
  CreatePersonalTokenDto,
} from './token.dto.js';
import { MANAGED_KINDS, OWN_KINDS, isManaged } from './access-token.entity.js';
import { TokenRevocationService } from './token-revocation.service.js';
import {
  presentNewToken,
  presentToken,
  type NewTokenResponse,
  type TokenResponse,
  type TokenDetails,
} from './token.presenter.js';
import { SCOPES, type Scope } from '../../core/access/scopes.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { TokenCreationService, rotatableTokenId } from './token-creation.service.js';

const ANY_SCOPE = Object.keys(SCOPES) as Scope[];
const PATH = 'personal_access_tokens';

/**
 * Access tokens: the viewer's own, for administrators all of them, and the one that the request
 * presents. The first route that matches handles a request, so `self` comes before the IDs.
 */
@ReadsPrimary()
@Controller()
@Scopes()
@Ability('signed_in')
export class PersonalTokensController {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly users: UsersRepository,
    private readonly creation: TokenCreationService,
    private readonly expiry: TokenExpiry,
    private readonly revocation: TokenRevocationService,
    private readonly clock: Clock,
  ) {}

  /** Lists the viewer's access tokens, or for administrators all. */
  @Get(PATH)
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

  /** Shows the token of the request. */
  @Get(`${PATH}/self`)
  @Scopes(...ANY_SCOPE)
  async showOwn(@Auth() auth: AuthContext): Promise<TokenResponse> {
    const token = await this.tokens.findInRange(accessTokenId(auth), { kinds: MANAGED_KINDS });
    // Deleted together with its user since the guard looked at it.
    if (token === null) throw new UnauthorizedError();
    return presentToken(token, this.clock.now());
  }

  /** Revokes the token of the request. */
  @Delete(`${PATH}/self`)
  @HttpCode(204)
  @Scopes(...ANY_SCOPE)
  revokeOwn(
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    return this.revocation.revoke(accessTokenId(auth), auth, preconditions);
  }

  /** Rotates the token of the request. */
  @Post(`${PATH}/self/rotate`)
  @RateLimit('token_creation')
  @HttpCode(200)
  @Scopes('self_rotate')
  @ApiErrors(405)
  async rotateOwn(
    @Auth() auth: AuthContext,
    @Input() { expires_at: expiresAt }: RotateTokenDto,
  ): Promise<NewTokenResponse> {
    const tokenId = rotatableTokenId(auth);
    const minted = await this.creation.rotate({ tokenId, expiresAt }, auth);
    return presentNewToken(minted, this.clock.now());
  }

  /** Shows one access token. */
  @Get(`${PATH}/:id`)
  async show(@IntegerId('id') id: number, @CurrentUser() viewer: Viewer): Promise<TokenResponse> {
    return presentToken(await this.findManaged(id, viewer), this.clock.now());
  }

  /** Rotates an access token. */
  @Post(`${PATH}/:id/rotate`)
  @RateLimit('token_creation')
  @HttpCode(200)
  async rotate(
    @IntegerId('id') id: number,
    @Input() { expires_at: expiresAt }: RotateTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    const { id: tokenId } = await this.findManaged(id, auth.viewer as Viewer);
    const minted = await this.creation.rotate({ tokenId, expiresAt }, auth);
    return presentNewToken(minted, this.clock.now());
  }

  /** Revokes an access token. */
  @Delete(`${PATH}/:id`)
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
   * Creates a personal access token of the viewer that can only rotate itself. The scope
   * `k8s_proxy`, which v4 clients also know here, is refused.
   */
  @Post('user/personal_access_tokens')
  @RateLimit('token_creation')
  @ApiErrors(422)
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
  @ApiErrors(422)
  create(
    @IntegerId('user_id') userId: number,
    @Input() dto: CreatePersonalTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return this.createFor(userId, dto, auth);
  }

  private createFor(
    userId: number,
    { name, description, scopes, expires_at: expiresOn }: CreatePersonalTokenDto,
    auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return unprocessableRefusals(async () => {
      const expiresAt = this.expiry.ofNewToken(expiresOn);
      const input = { userId, name, description: description ?? '', scopes, expiresAt };
      return presentNewToken(await this.creation.create(input, auth), this.clock.now());
    });
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

/** Throws 400 for a request that presents a token of a kind that is not managed here. */
function accessTokenId({ credential }: AuthContext): number {
  if (credential !== null && isManaged(credential.kind)) return credential.tokenId;
  throw new BadRequestError('This endpoint requires token type to be a personal access token');
}
