import { Injectable } from '@nestjs/common';
import type { Credential } from '../../core/access/viewer.js';
import {
  PgNotifyCache,
  PgNotifyListener,
} from '../../core/announcements/pg-notify-listener.service.js';

/**
 * Credentials of the last seconds, so that most requests authenticate without a query. Triggers
 * announce each change of a token or user on the channel `credentials`.
 */
@Injectable()
export class CredentialCache {
  private readonly cache: PgNotifyCache<Credential>;

  constructor(listener: PgNotifyListener) {
    this.cache = new PgNotifyCache(listener, {
      channel: 'credentials',
      max: 10_000,
      ttl: 5_000,
      onMessage: (announcement) => this.invalidate(announcement),
    });
  }

  /** Returns the cached credential of a token's digest, or reads it; null for an unknown token. */
  find(digest: Buffer, read: () => Promise<Credential | null>): Promise<Credential | null> {
    return this.cache.get(digest.toString('hex'), read);
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
