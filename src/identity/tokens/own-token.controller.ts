import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { SCOPES, type Scope } from '../../core/access/scopes.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { Clock } from '../../core/clock.js';
import { BadRequestError, UnauthorizedError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { RotateTokenDto } from './token.dto.js';
import { isManaged, MANAGED_KINDS } from './token-details.js';
import { TokenRevocationService } from './token-revocation.service.js';
import { rotatableTokenId, TokenRotationService } from './token-rotation.service.js';
import {
  presentNewToken,
  presentToken,
  type NewTokenResponse,
  type TokenResponse,
} from './token.presenter.js';

const ANY_SCOPE = Object.keys(SCOPES) as Scope[];

/** The token that the request presents. */
@Controller('personal_access_tokens/self')
@Ability('signed_in')
export class OwnTokenController {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly rotation: TokenRotationService,
    private readonly revocation: TokenRevocationService,
    private readonly clock: Clock,
  ) {}

  /** Shows the token of the request. */
  @Get()
  @Scopes(...ANY_SCOPE)
  async show(@Auth() auth: AuthContext): Promise<TokenResponse> {
    const token = await this.tokens.findInRange(accessTokenId(auth), { kinds: MANAGED_KINDS });
    // Deleted together with its user since the guard looked at it.
    if (token === null) throw new UnauthorizedError();
    return presentToken(token, this.clock.now());
  }

  /** Revokes the token of the request. */
  @Delete()
  @HttpCode(204)
  @Scopes(...ANY_SCOPE)
  revoke(@Auth() auth: AuthContext, @IfUnmodified() preconditions: Preconditions): Promise<void> {
    return this.revocation.revoke(accessTokenId(auth), auth, preconditions);
  }

  /** Rotates the token of the request. */
  @Post('rotate')
  @RateLimit('token_creation')
  @HttpCode(200)
  @Scopes('self_rotate')
  @ApiErrors(405)
  async rotate(
    @Auth() auth: AuthContext,
    @Input() { expires_at: expiresAt }: RotateTokenDto,
  ): Promise<NewTokenResponse> {
    const tokenId = rotatableTokenId(auth);
    const minted = await this.rotation.rotate({ tokenId, expiresAt }, auth);
    return presentNewToken(minted, this.clock.now());
  }
}

/** Throws 400 for a request that presents a token of a kind that is not managed here. */
function accessTokenId({ credential }: AuthContext): number {
  if (credential !== null && isManaged(credential.kind)) return credential.tokenId;
  throw new BadRequestError('This endpoint requires token type to be a personal access token');
}
