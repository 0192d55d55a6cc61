import { Injectable } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { UsersRepository } from '../users/users.repository.js';
import { AccessTokensRepository } from './access-tokens.repository.js';
import type { CreateImpersonationTokenDto, TokenFiltersDto } from './token.dto.js';
import { TokenCreationService } from './token-creation.service.js';
import type { MintedToken, TokenDetails } from './token-details.js';
import { TokenExpiry } from './token-expiry.service.js';
import { validationRefusals } from './token-refusal.js';
import { TokenRevocationService } from './token-revocation.service.js';

const KINDS = ['impersonation'] as const;

/** Tokens with which administrators act as one user (API doc, Impersonation tokens). */
@Injectable()
export class ImpersonationTokensService {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly users: UsersRepository,
    private readonly creation: TokenCreationService,
    private readonly revocation: TokenRevocationService,
    private readonly expiry: TokenExpiry,
    private readonly settings: InstanceSettings,
  ) {}

  /** Throws 404 without such a user. */
  async list(
    userId: number,
    filters: TokenFiltersDto,
    paging: Paging,
  ): Promise<Page<TokenDetails>> {
    await this.users.assertExists(userId);
    return this.tokens.list({ kinds: KINDS, userId }, filters, paging);
  }

  /** Throws 404 without such a user or such a token of the user. */
  async find(userId: number, id: number): Promise<TokenDetails> {
    await this.users.assertExists(userId);
    const token = await this.tokens.findInRange(id, { kinds: KINDS, userId });
    if (token === null) throw new NotFoundError('Impersonation Token');
    return token;
  }

  /**
   * Throws 403 where impersonation is turned off, 404 without such a user, 400 with messages per
   * attribute for what breaks a rule of tokens.
   */
  async create(
    userId: number,
    { name, description, scopes, expires_at: wish }: CreateImpersonationTokenDto,
    auth: AuthContext,
  ): Promise<MintedToken> {
    if (!this.settings.values.impersonation_enabled) {
      throw new ForbiddenError('Impersonation is disabled');
    }
    return validationRefusals(async () => {
      const expiresAt = this.expiry.ofNewToken(wish);
      const texts = { name, description: description ?? '' };
      const input = { userId, ...texts, scopes: scopes ?? [], kind: KINDS[0], expiresAt };
      return this.creation.create(input, auth);
    });
  }

  /** Throws as `find`, and 412 when the client's condition does not hold. */
  async revoke(
    { userId, id }: { userId: number; id: number },
    auth: AuthContext,
    preconditions: Preconditions,
  ): Promise<void> {
    const token = await this.find(userId, id);
    await this.revocation.revoke(token.id, auth, preconditions);
  }
}
