import { Injectable } from '@nestjs/common';
import type { Credential } from '../../core/access/auth-context.js';
import {
  PgNotifyCache,
  PgNotifyListener,
} from '../../core/announcements/pg-notify-listener.service.js';
import { credentialDigest } from '../../core/secrets.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { AccessTokensRepository } from './access-tokens.repository.js';

/**
 * Finds credentials by their raw tokens, without a query for those of the last seconds. Triggers
 * announce each change of what they carry, of the token or its user, on the channel `credentials`.
 */
@Injectable()
export class TokenLookup {
  private readonly cache: PgNotifyCache<Credential>;

  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly settings: InstanceSettings,
    listener: PgNotifyListener,
  ) {
    this.cache = new PgNotifyCache(listener, {
      channel: 'credentials',
      max: 10_000,
      ttl: 5_000,
      onMessage: (announcement) => this.invalidate(announcement),
    });
  }

  /** Returns false for an impersonation token while impersonation is turned off. */
  accepts({ kind }: Credential): boolean {
    return kind !== 'impersonation' || this.settings.values.impersonation_enabled;
  }

  /** Returns the credential of any kind and state, or null for an unknown value. */
  findAny(raw: string): Promise<Credential | null> {
    const digest = credentialDigest(raw);
    return this.cache.get(digest.toString('hex'), () => this.tokens.findCredential(digest));
  }

  /** Drops one token before its announcement arrives: this process just ended it. */
  drop(digest: Buffer): void {
    this.cache.delete(digest.toString('hex'));
  }

  /** An announcement is `token:` with a digest or `user:` with an id. */
  private invalidate(announcement: string): void {
    const [subject, id] = announcement.split(':', 2);
    if (subject === 'token' && id !== undefined) this.cache.delete(id);
    else this.cache.deleteWhere(({ user }) => String(user.id) === id);
  }
}
