import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { BadRequestError } from '../../core/errors.js';
import { trailOfSource } from '../../identity/members/member-source.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { ROLES } from '../../identity/members/roles.js';
import { AccessTokensRepository } from '../../identity/tokens/access-tokens.repository.js';
import { TokenCreationService } from '../../identity/tokens/token-creation.service.js';
import { TokenExpiry } from '../../identity/tokens/token-expiry.service.js';
import { presentNewToken, type NewTokenResponse } from '../../identity/tokens/token.presenter.js';
import { InternalUsersRepository } from '../../identity/users/internal-users.repository.js';
import type { CreateResourceTokenDto } from './resource-token.dto.js';
import type { TokenResource } from './token-resource.js';

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
