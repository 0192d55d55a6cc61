import { Injectable } from '@nestjs/common';
import { PgNotifyListener } from '../core/announcements/pg-notify-listener.service.js';
import { CredentialCache } from '../tokens/credential-cache.service.js';
import { OAuthApplicationsRepository, type Client } from './oauth-applications.repository.js';

/** Lifetime of a cache entry, which bounds staleness when a change notification is lost. */
const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 1_000;

interface Entry {
  client: Client;
  until: number;
}

/**
 * Finds applications by their client_id: one query, or none when the answer is some seconds old.
 * Each change is announced on the channel `oauth_applications`, so that a renewed secret ends the
 * old one in every process. Unknown client_ids are not remembered: anyone can make them up.
 */
@Injectable()
export class ApplicationLookup {
  private readonly entries = new Map<string, Entry>();
  /** Grows with every announcement: an answer read before one must not be stored after it. */
  private epoch = 0;
  private listening = false;

  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly credentials: CredentialCache,
    announcements: PgNotifyListener,
  ) {
    announcements.subscribe('oauth_applications', {
      onMessage: (uid) => this.forget(uid),
      onConnect: () => {
        this.epoch += 1;
        this.listening = true;
      },
      onDisconnect: () => {
        this.listening = false;
        this.epoch += 1;
        this.entries.clear();
      },
    });
  }

  /** Returns the application, or null if it is not registered. */
  async find(uid: string): Promise<Client | null> {
    const known = this.entries.get(uid);
    if (known !== undefined && known.until > Date.now()) return known.client;
    const { epoch } = this;
    const client = await this.applications.findClient(uid);
    if (client !== null && this.listening && epoch === this.epoch) this.remember(client);
    return client;
  }

  /** Forgets an application before its announcement arrives: this process just changed it. */
  forget(uid: string): void {
    this.epoch += 1;
    this.entries.delete(uid);
  }

  /** Drops the cached tokens of a changed application. */
  forgetTokens(digests: readonly Buffer[]): void {
    for (const digest of digests) this.credentials.drop(digest);
  }

  private remember(client: Client): void {
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    this.entries.set(client.uid, { client, until: Date.now() + LIFETIME_MS });
  }
}
