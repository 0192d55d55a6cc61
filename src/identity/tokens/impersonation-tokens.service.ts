import { Injectable } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import { mapPage, type Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import { TokenCreationService } from './token-creation.service.js';
import { TokenExpiry } from './token-expiry.service.js';
import { validationRefusals } from './token-refusal.js';
import { TokenRevocationService } from './token-revocation.service.js';
import type { CreateImpersonationTokenDto, TokenFiltersDto } from './token.dto.js';
import {
  presentToken,
  type MintedToken,
  type TokenDetails,
  type TokenResponse,
} from './token.presenter.js';

const KINDS = ['impersonation'] as const;

interface TokenChoice {
  userId: number;
  id: number;
  preconditions: Preconditions;
}

/** Lists, creates and revokes impersonation tokens; the callers admit administrators only. */
@Injectable()
export class ImpersonationTokensService {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly users: UsersRepository,
    private readonly creation: TokenCreationService,
    private readonly revocation: TokenRevocationService,
    private readonly expiry: TokenExpiry,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** True if administrators can create tokens. */
  get isEnabled(): boolean {
    return this.settings.values.impersonation_enabled;
  }

  /** Returns one page of a user's tokens; throws 404 without such a user. */
  async list(
    userId: number,
    filters: TokenFiltersDto,
    paging: Paging,
  ): Promise<Page<TokenResponse>> {
    await this.users.assertExists(userId);
    const page = await this.tokens.list({ kinds: KINDS, userId }, filters, paging);
    const now = this.clock.now();
    return mapPage(page, (token) => presentToken(token, now));
  }

  /** Throws 404 without such a user or such a token of the user. */
  async findOfUser(userId: number, id: number): Promise<TokenDetails> {
    await this.users.assertExists(userId);
    const token = await this.tokens.findInRange(id, { kinds: KINDS, userId });
    if (token === null) throw new NotFoundError('Impersonation Token');
    return token;
  }

  /** Throws 403 while impersonation is disabled, 400 with messages per attribute. */
  create(
    userId: number,
    dto: CreateImpersonationTokenDto,
    auth: AuthContext,
  ): Promise<MintedToken> {
    if (!this.isEnabled) throw new ForbiddenError('Impersonation is disabled');
    const { name, scopes } = dto;
    const texts = { name, description: dto.description ?? '' };
    return validationRefusals(async () => {
      const expiresAt = this.expiry.ofNewToken(dto.expires_at);
      const input = { userId, ...texts, scopes: scopes ?? [], kind: KINDS[0], expiresAt };
      return this.creation.create(input, auth);
    });
  }

  /** Throws as `findOfUser`. */
  async revoke({ userId, id, preconditions }: TokenChoice, auth: AuthContext): Promise<void> {
    const token = await this.findOfUser(userId, id);
    await this.revocation.revoke(token.id, auth, preconditions);
  }
}
