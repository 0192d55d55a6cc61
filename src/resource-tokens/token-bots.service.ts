import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { AuditTrail } from '../core/audit/audit.service.js';
import { trailOfSource } from '../members/member-source.js';
import { insertMember } from '../members/membership-rows.js';
import { insertBot } from '../users/bot-user.js';
import type { TokenResource } from './token-resource.js';

interface BotWish {
  name: string;
  accessLevel: number;
}

/** Makes the bots that project and group access tokens act as. */
@Injectable()
export class TokenBots {
  constructor(
    private readonly audit: AuditTrail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Inserts a bot as a member of the resource, with its audit rows, in the caller's transaction;
   * returns its user id. Throws 400 for a name that no user may have.
   */
  async make(
    tx: EntityManager,
    { resource, wish }: { resource: TokenResource; wish: BotWish },
    auth: AuthContext,
  ): Promise<number> {
    const username = `${resource.kind}_${resource.id}_bot_${randomBytes(16).toString('hex')}`;
    const host = new URL(this.config.baseUrl).hostname;
    const userId = await insertBot(tx, { username, name: wish.name, host });
    const { accessLevel } = wish;
    const createdById = auth.viewer?.id ?? null;
    await insertMember(tx, resource, { userId, accessLevel, expiresAt: null, createdById });
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
