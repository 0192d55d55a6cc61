import { Injectable } from '@nestjs/common';
import {
  PgNotifyCache,
  PgNotifyListener,
} from '../core/announcements/pg-notify-listener.service.js';
import { TokenLookup } from '../identity/tokens/token-lookup.service.js';
import { OAuthApplicationsRepository, type Client } from './oauth-applications.repository.js';

/**
 * Finds applications by their client_id: one query, or none when the answer is some seconds old.
 * Each change is announced on the channel `oauth_applications`, so that a renewed secret ends the
 * old one in every process. Unknown client_ids are not remembered: anyone can make them up.
 */
@Injectable()
export class ApplicationLookup {
  private readonly cache: PgNotifyCache<Client>;

  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly tokenLookup: TokenLookup,
    listener: PgNotifyListener,
  ) {
    this.cache = new PgNotifyCache(listener, {
      channel: 'oauth_applications',
      max: 1_000,
      ttl: 5_000,
      onMessage: (uid) => this.forget(uid),
    });
  }

  /** Returns the application, or null if it is not registered. */
  find(uid: string): Promise<Client | null> {
    return this.cache.get(uid, () => this.applications.findClient(uid));
  }

  /** Forgets an application before its announcement arrives: this process just changed it. */
  forget(uid: string): void {
    this.cache.delete(uid);
  }

  /** Drops the cached tokens of a changed application. */
  forgetTokens(digests: readonly Buffer[]): void {
    for (const digest of digests) this.tokenLookup.drop(digest);
  }
}
