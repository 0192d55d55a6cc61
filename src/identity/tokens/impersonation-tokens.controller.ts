import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../core/sql/replica/request-reads.js';
import { ImpersonationTokensService } from './impersonation-tokens.service.js';
import { CreateImpersonationTokenDto, ListImpersonationTokensDto } from './token.dto.js';
import {
  presentNewToken,
  presentToken,
  type NewTokenResponse,
  type TokenResponse,
} from './token.presenter.js';

/** Tokens with which administrators act as a user (API doc, Impersonation tokens). */
@ReadsPrimary()
@Controller('users/:user_id/impersonation_tokens')
@Scopes()
@Ability('administrate')
export class ImpersonationTokensController {
  constructor(
    private readonly service: ImpersonationTokensService,
    private readonly clock: Clock,
  ) {}

  /** Lists the impersonation tokens of a user. */
  @Get()
  async list(
    @IntegerId('user_id') userId: number,
    @Input() { state }: ListImpersonationTokensDto,
    @Pages() paging: Paging,
  ): Promise<TokenResponse[]> {
    const filters = { state: state === 'all' ? null : state };
    return paging.write(await this.service.list(userId, filters, paging));
  }

  /** Shows an impersonation token of a user. */
  @Get(':impersonation_token_id')
  async show(
    @IntegerId('user_id') userId: number,
    @IntegerId('impersonation_token_id') id: number,
  ): Promise<TokenResponse> {
    return presentToken(await this.service.findOfUser(userId, id), this.clock.now());
  }

  /** Creates an impersonation token for a user. */
  @Post()
  @RateLimit('token_creation')
  async create(
    @IntegerId('user_id') userId: number,
    @Input() dto: CreateImpersonationTokenDto,
    @Auth() auth: AuthContext,
  ): Promise<NewTokenResponse> {
    return presentNewToken(await this.service.create(userId, dto, auth), this.clock.now());
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
    await this.service.revoke({ userId, id, preconditions }, auth);
  }
}
