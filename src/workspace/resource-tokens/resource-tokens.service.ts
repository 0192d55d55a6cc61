import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { BadRequestError } from '../../core/errors.js';
import { mapPage, type Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';
import { trailOfSource } from '../../identity/members/member-source.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { ROLES } from '../../identity/members/roles.js';
import { AccessTokensRepository } from '../../identity/tokens/access-tokens.repository.js';
import type { TokenRange } from '../../identity/tokens/sql/access-tokens.js';
import { TokenExpiry } from '../../identity/tokens/token-expiry.service.js';
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
import { InternalUsersRepository } from '../../identity/users/internal-users.repository.js';
import type { CreateResourceTokenDto } from './resource-token.dto.js';
import { assertMayManage, tokenNotFound, type TokenResource } from './token-resource.js';

/** Creates project and group access tokens, each with a bot of its own that it acts as. */
@Injectable()
export class ResourceTokenCreation {
  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly bots: InternalUsersRepository,
    private readonly members: MembersRepository,
    private readonly creation: TokenCreationService,
    private readonly expiry: TokenExpiry,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates bot, membership, token and audit rows in one transaction. Throws 400 for users who
   * cannot create tokens (bots never can), for a role above the creator's, and for tokens that
   * break a rule; 404 when the project or group is being deleted.
   */
  async create(
    resource: TokenResource,
    dto: CreateResourceTokenDto,
    auth: AuthContext,
  ): Promise<NewTokenResponse> {
    const accessLevel = dto.access_level ?? ROLES.maintainer;
    assertMayCreate(resource, { accessLevel, auth });
    const expiresAt = this.expiry.ofNewToken(dto.expires_at);
    const minted = await this.tokens.manager.transaction(async (tx) => {
      await this.tokens.lockResource(tx, resource);
      const userId = await this.createBot(tx, { resource, name: dto.name, accessLevel }, auth);
      const token = {
        userId,
        name: dto.name,
        description: dto.description ?? '',
        scopes: dto.scopes,
        kind: resource.kind,
        expiresAt,
        projectId: resource.kind === 'project' ? resource.id : null,
        groupId: resource.kind === 'group' ? resource.id : null,
      };
      return this.creation.mint(tx, token, auth);
    });
    return presentNewToken(minted, this.clock.now());
  }

  /**
   * Inserts a bot as a member of the resource, with its audit rows, in the caller's transaction;
   * returns its user id. Throws 400 for a name that no user may have.
   */
  private async createBot(
    tx: EntityManager,
    { resource, name, accessLevel }: { resource: TokenResource; name: string; accessLevel: number },
    auth: AuthContext,
  ): Promise<number> {
    const username = `${resource.kind}_${resource.id}_bot_${randomBytes(16).toString('hex')}`;
    const host = new URL(this.config.baseUrl).hostname;
    const userId = await this.bots.insertBot(tx, { username, name, host });
    const createdById = auth.viewer?.id ?? null;
    await this.members.add(tx, resource, { userId, accessLevel, expiresAt: null, createdById });
    const target = { targetType: 'User', targetId: userId };
    await this.audit.record(tx, auth, {
      ...target,
      action: 'user_created',
      details: { username, user_type: 'project_bot' },
    });
    await this.audit.record(tx, auth, {
      ...target,
      action: 'member_created',
      entity: trailOfSource(resource),
      details: { access_level: { from: null, to: accessLevel } },
    });
    return userId;
  }
}

function assertMayCreate(
  resource: TokenResource,
  { accessLevel, auth }: { accessLevel: number; auth: AuthContext },
): void {
  if (!resource.mayManage || auth.viewer?.userType === 'project_bot') {
    throw new BadRequestError(
      `User does not have permission to create ${resource.kind} access token`,
    );
  }
  if (accessLevel <= resource.accessLevel) return;
  throw new BadRequestError(
    'Access level of the token contains permissions not held by the creating user',
  );
}

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
