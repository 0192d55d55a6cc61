import { Injectable } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { BadRequestError } from '../../core/errors.js';
import { mapPage, type Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';
import { AccessTokensRepository } from '../../identity/tokens/access-tokens.repository.js';
import type { TokenRange } from '../../identity/tokens/sql/token-filters.js';
import type { RotateTokenDto, TokenFiltersDto } from '../../identity/tokens/token.dto.js';
import { TokenRevocationService } from '../../identity/tokens/token-revocation.service.js';
import {
  rotatableTokenId,
  TokenCreationService,
} from '../../identity/tokens/token-creation.service.js';
import {
  presentNewToken,
  presentToken,
  type NewTokenResponse,
  type TokenResponse,
  type TokenDetails,
} from '../../identity/tokens/token.presenter.js';
import { assertMayManage, tokenNotFound, type TokenResource } from './token-resource.js';

/**
 * Shared use cases of project and group access tokens. Throws 401 for users who cannot manage them,
 * 404 for an unknown token (API doc, Project and group access tokens).
 */
@Injectable()
export class ResourceTokensService {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly creation: TokenCreationService,
    private readonly revocation: TokenRevocationService,
    private readonly clock: Clock,
  ) {}

  /** The resource's tokens that match every filter, those that have ended included. */
  async list(
    resource: TokenResource,
    filters: TokenFiltersDto,
    paging: Paging,
  ): Promise<TokenResponse[]> {
    return paging.write(await this.page(resource, filters, paging));
  }

  /** The same as a page, for who shows it to people. */
  async page(
    resource: TokenResource,
    filters: TokenFiltersDto,
    paging: Paging,
  ): Promise<Page<TokenResponse>> {
    assertMayManage(resource);
    const page = await this.tokens.list(rangeOf(resource), filters, paging);
    const now = this.clock.now();
    return mapPage(page, (token) => presentToken(token, now));
  }

  /** One token of the resource. */
  async show(resource: TokenResource, tokenId: number): Promise<TokenResponse> {
    assertMayManage(resource);
    return presentToken(await this.find(resource, tokenId), this.clock.now());
  }

  /**
   * Replaces one token. Throws 400 for a token whose bot has a higher role than the viewer: they
   * would get that role with the new value.
   */
  async rotate(
    resource: TokenResource,
    { tokenId, dto }: { tokenId: number; dto: RotateTokenDto },
    auth: AuthContext,
  ): Promise<NewTokenResponse> {
    assertMayManage(resource);
    const token = await this.find(resource, tokenId);
    if ((token.accessLevel ?? 0) > resource.accessLevel) {
      throw new BadRequestError(
        'Not eligible to rotate token with access level higher than the user',
      );
    }
    return this.replace(tokenId, dto, auth);
  }

  /** Replaces the token that the request presents; 405 for a credential that cannot be replaced. */
  async rotateSelf(
    resource: TokenResource,
    dto: RotateTokenDto,
    auth: AuthContext,
  ): Promise<NewTokenResponse> {
    const { id } = await this.find(resource, rotatableTokenId(auth));
    return this.replace(id, dto, auth);
  }

  /** Revokes one token; its bot stays a member. Throws 412 for unmet `preconditions`. */
  async revoke(
    resource: TokenResource,
    { tokenId, preconditions }: { tokenId: number; preconditions: Preconditions },
    auth: AuthContext,
  ): Promise<void> {
    assertMayManage(resource);
    const { id } = await this.find(resource, tokenId);
    await this.revocation.revoke(id, auth, preconditions);
  }

  private async find(resource: TokenResource, tokenId: number): Promise<TokenDetails> {
    const token = await this.tokens.findInRange(tokenId, rangeOf(resource));
    if (token === null) throw tokenNotFound(resource);
    return token;
  }

  private async replace(
    tokenId: number,
    dto: RotateTokenDto,
    auth: AuthContext,
  ): Promise<NewTokenResponse> {
    const minted = await this.creation.rotate({ tokenId, expiresAt: dto.expires_at }, auth);
    return presentNewToken(minted, this.clock.now());
  }
}

function rangeOf({ kind, id }: TokenResource): TokenRange {
  return kind === 'project'
    ? { kinds: ['project'], projectId: id }
    : { kinds: ['group'], groupId: id };
}
