import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { BadRequestError } from '../core/errors.js';
import { SOURCE_COLUMNS } from '../members/member-source.js';
import { ROLES } from '../members/roles.js';
import { TokenCreationService } from '../tokens/token-creation.service.js';
import type { MintedToken } from '../tokens/token-details.js';
import { TokenExpiry } from '../tokens/token-expiry.service.js';
import { insertBot } from '../users/bot-user.js';
import type { CreateResourceTokenDto } from './dto/create-resource-token.dto.js';
import { lockResource, type TokenResource } from './token-resource.js';

/** Makes project and group access tokens, each with a bot of its own that it acts as. */
@Injectable()
export class ResourceTokenCreation {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: TokenCreationService,
    private readonly expiry: TokenExpiry,
    @Inject(CONFIG) private readonly config: Config,
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
  ): Promise<MintedToken> {
    const accessLevel = dto.access_level ?? ROLES.maintainer;
    assertMayCreate(resource, { accessLevel, auth });
    const expiresAt = this.expiry.ofNewToken(dto.expires_at);
    return this.dataSource.transaction(async (tx) => {
      await lockResource(tx, resource);
      const userId = await this.makeBot(tx, resource, dto.name);
      await joinBot(tx, resource, { userId, accessLevel, createdById: auth.viewer?.id ?? null });
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
  }

  private makeBot(tx: EntityManager, resource: TokenResource, name: string): Promise<number> {
    const username = `${resource.kind}_${resource.id}_bot_${randomBytes(16).toString('hex')}`;
    return insertBot(tx, { username, name, host: new URL(this.config.baseUrl).hostname });
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

async function joinBot(
  tx: EntityManager,
  resource: TokenResource,
  bot: { userId: number; accessLevel: number; createdById: number | null },
): Promise<void> {
  await tx.query(
    `INSERT INTO members (${SOURCE_COLUMNS[resource.kind]}, user_id, access_level, created_by_id)
     VALUES ($1, $2, $3, $4)`,
    [resource.id, bot.userId, bot.accessLevel, bot.createdById],
  );
}
