import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { SignedInContext } from '../../core/access/auth-context.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { credentialDigest, generateCredential } from '../../core/secrets.js';
import { TextCipher } from '../../core/text-cipher.js';
import { FeedTokensRepository } from './feed-tokens.repository.js';

/** The page that shows the viewer's feed token. */
export const FEED_TOKEN_PATH = '/-/user_settings/personal_access_tokens#feed-token';

const PREFIX = 'svcft-';

/** Manages the feed token of each user. It authenticates feeds only (see PageGuard). */
@Injectable()
export class FeedTokens {
  private readonly cipher: TextCipher;

  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: FeedTokensRepository,
    private readonly audit: AuditLog,
    @Inject(CONFIG) config: Config,
  ) {
    this.cipher = new TextCipher(config.secretKey, 'feed tokens');
  }

  /** Returns the user's token; null without one, or if it was encrypted with another key. */
  async find(userId: number): Promise<string | null> {
    const encrypted = await this.tokens.findEncrypted(userId);
    return encrypted === null ? null : this.cipher.decrypt(encrypted);
  }

  /** Returns the ID of the token's user, or null for an unknown token. */
  findOwner(raw: string): Promise<number | null> {
    return this.tokens.findOwner(credentialDigest(raw));
  }

  /** Creates a token for the viewer; the current one stops working. */
  async reset(actor: SignedInContext): Promise<void> {
    const userId = actor.viewer.id;
    const raw = generateCredential(PREFIX);
    const encryptedToken = this.cipher.encrypt(raw);
    await this.dataSource.transaction(async (tx) => {
      const row = { userId, digest: credentialDigest(raw), encryptedToken };
      const isNew = await this.tokens.replace(tx, row);
      const action = isNew ? 'feed_token_created' : 'feed_token_reset';
      await this.audit.record(tx, actor, { action, targetType: 'User', targetId: userId });
    });
  }

  /** Revokes the viewer's token. Does nothing without one. */
  async revoke(actor: SignedInContext): Promise<void> {
    const userId = actor.viewer.id;
    await this.dataSource.transaction(async (tx) => {
      if (!(await this.tokens.removeOf(tx, userId))) return;
      const action = 'feed_token_revoked';
      await this.audit.record(tx, actor, { action, targetType: 'User', targetId: userId });
    });
  }
}
