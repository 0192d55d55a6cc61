import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AuthContext } from '../core/access/auth-context.js';
import { Clock } from '../core/clock.js';
import { BadRequestError } from '../core/errors.js';
import { ROLES } from '../members/roles.js';
import { TokenCreationService } from '../tokens/token-creation.service.js';
import { TokenExpiry } from '../tokens/token-expiry.service.js';
import { presentNewToken, type PresentedNewToken } from '../tokens/token.presenter.js';
import type { CreateResourceTokenDto } from './dto/create-resource-token.dto.js';
import { TokenBots } from './token-bots.service.js';
import { lockResource, type TokenResource } from './token-resource.js';

/** Makes project and group access tokens, each with a bot of its own that it acts as. */
@Injectable()
export class ResourceTokenCreation {
  constructor(
    private readonly dataSource: DataSource,
    private readonly bots: TokenBots,
    private readonly tokens: TokenCreationService,
    private readonly expiry: TokenExpiry,
    private readonly clock: Clock,
  ) {}

  /**
   * Bot, membership, token and audit rows come with one transaction. Throws 400 for who may not
   * create tokens (bots never may), for a role above the creator's, and for rules that the token
   * breaks; 404 when the project or group is being deleted.
   */
  async create(
    resource: TokenResource,
    dto: CreateResourceTokenDto,
    auth: AuthContext,
  ): Promise<PresentedNewToken> {
    const accessLevel = dto.access_level ?? ROLES.maintainer;
    assertMayCreate(resource, { accessLevel, auth });
    const expiresAt = this.expiry.ofNewToken(dto.expires_at);
    const minted = await this.dataSource.transaction(async (tx) => {
      await lockResource(tx, resource);
      const wish = { name: dto.name, accessLevel };
      const userId = await this.bots.make(tx, { resource, wish }, auth);
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
      return this.tokens.mint(tx, token, auth);
    });
    return presentNewToken(minted, this.clock.now());
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
