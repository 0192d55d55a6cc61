import { Injectable } from '@nestjs/common';
import type { Credential } from '../core/access/viewer.js';
import { PgNotifyListener } from '../core/announcements/pg-notify-listener.service.js';

/** Lifetime of a cache entry, which bounds staleness when a change notification is lost. */
const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 10_000;
/** Of how many tokens it is remembered when they were announced last. */
const MAX_ANNOUNCED = 10_000;

interface Entry {
  credential: Credential;
  until: number;
}

/**
 * Known credentials of the last seconds, so that most requests need no query to authenticate.
 *
 * Triggers announce each change of a token or user on the channel `credentials`; the entry dies
 * with the announcement, some milliseconds after the commit. While announcements may be missed
 * nothing is cached.
 */
@Injectable()
export class CredentialCache {
  /** Grows with every announcement: an answer read before one must not be stored after it. */
  epoch = 0;
  private readonly entries = new Map<string, Entry>();
  /** Epochs of tokens that were announced; much is refreshed without ending what others read. */
  private readonly announced = new Map<string, number>();
  /** Reads before this epoch can be stale, for every token. */
  private staleBefore = 0;
  private listening = false;

  constructor(announcements: PgNotifyListener) {
    announcements.subscribe('credentials', {
      onMessage: (announcement) => this.forget(announcement),
      onConnect: () => {
        // Changes during the disconnection were not announced.
        this.distrustAll();
        this.listening = true;
      },
      onDisconnect: () => this.forgetAll(),
    });
  }

  /** The cached credential, or undefined when it has to be read. */
  get(key: string): Credential | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > Date.now()) return entry.credential;
    this.entries.delete(key);
    return undefined;
  }

  /** Stores what was read at `epoch`, unless it may have changed since. */
  set(key: string, credential: Credential, epoch: number): void {
    if (!this.listening || epoch < this.staleBefore) return;
    if (epoch < (this.announced.get(key) ?? 0)) return;
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    this.entries.set(key, { credential, until: Date.now() + LIFETIME_MS });
  }

  /** Forgets one token before its announcement arrives: this process just ended it. */
  drop(digest: Buffer): void {
    this.forget(`token:${digest.toString('hex')}`);
  }

  private forgetAll(): void {
    this.listening = false;
    this.distrustAll();
    this.entries.clear();
  }

  private distrustAll(): void {
    this.epoch += 1;
    this.staleBefore = this.epoch;
    this.announced.clear();
  }

  private forget(announcement: string): void {
    const [subject, id] = announcement.split(':', 2);
    if (subject === 'token' && id !== undefined) {
      this.forgetToken(id);
      return;
    }
    this.distrustAll();
    for (const [key, entry] of this.entries) {
      if (String(entry.credential.user.id) === id) this.entries.delete(key);
    }
  }

  private forgetToken(key: string): void {
    if (this.announced.size >= MAX_ANNOUNCED) this.distrustAll();
    this.epoch += 1;
    this.announced.set(key, this.epoch);
    this.entries.delete(key);
  }
}
