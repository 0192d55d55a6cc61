import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { Clock } from '../../core/clock.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CreateImpersonationTokenDto, ListImpersonationTokensDto } from './token.dto.js';
import {
  presentNewToken,
  presentToken,
  type NewTokenResponse,
  type TokenResponse,
  type TokenDetails,
} from './token.presenter.js';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { TokenCreationService } from './token-creation.service.js';
import { TokenExpiry } from './token-expiry.service.js';
import { validationRefusals } from './token-refusal.js';
import { TokenRevocationService } from './token-revocation.service.js';

const KINDS = ['impersonation'] as const;

/** Tokens with which administrators act as a user (API doc, Impersonation tokens). */
@Controller('users/:user_id/impersonation_tokens')
@Scopes()
@Ability('administrate')
export class ImpersonationTokensController {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly users: UsersRepository,
    private readonly creation: TokenCreationService,
    private readonly revocation: TokenRevocationService,
    private readonly expiry: TokenExpiry,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** Lists the impersonation tokens of a user. */
  @Get()
  async list(
    @IntegerId('user_id') userId: number,
    @Input() { state }: ListImpersonationTokensDto,
    @Pages() paging: Paging,
  ): Promise<TokenResponse[]> {
    await this.users.assertExists(userId);
    const filters = { state: state === 'all' ? null : state };
    const page = await this.tokens.list({ kinds: KINDS, userId }, filters, paging);
    const now = this.clock.now();
    return paging.write(mapPage(page, (token) => presentToken(token, now)));
  }

  /** Shows an impersonation token of a user. */
  @Get(':impersonation_token_id')
  async show(
    @IntegerId('user_id') userId: number,
    @IntegerId('impersonation_token_id') id: number,
  ): Promise<TokenResponse> {
    return presentToken(await this.findOfUser(userId, id), this.clock.now());
  }

  /** Creates an impersonation token for a user. */
  @Post()
  @RateLimit('token_creation')
  async create(
    @IntegerId('user_id') userId: number,
    @Input() dto: CreateImpersonationTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    if (!this.settings.values.impersonation_enabled) {
      throw new ForbiddenError('Impersonation is disabled');
    }
    const { name, scopes } = dto;
    const texts = { name, description: dto.description ?? '' };
    const minted = await validationRefusals(async () => {
      const expiresAt = this.expiry.ofNewToken(dto.expires_at);
      const input = { userId, ...texts, scopes: scopes ?? [], kind: KINDS[0], expiresAt };
      return this.creation.create(input, auth);
    });
    return presentNewToken(minted, this.clock.now());
  }

  /** Revokes an impersonation token of a user. */
  @Delete(':impersonation_token_id')
  @HttpCode(204)
  async revoke(
    @IntegerId('user_id') userId: number,
    @IntegerId('impersonation_token_id') id: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    const token = await this.findOfUser(userId, id);
    await this.revocation.revoke(token.id, auth, preconditions);
  }

  /** Throws 404 without such a user or such a token of the user. */
  private async findOfUser(userId: number, id: number): Promise<TokenDetails> {
    await this.users.assertExists(userId);
    const token = await this.tokens.findInRange(id, { kinds: KINDS, userId });
    if (token === null) throw new NotFoundError('Impersonation Token');
    return token;
  }
}
