import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Client } from 'pg';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { Credential } from '../core/access/viewer.js';

/** A credential is read anew after this long even when nobody announced a change. */
const LIFETIME_MS = 5_000;
const MAX_ENTRIES = 10_000;
const RECONNECT_MS = 1_000;

interface Entry {
  credential: Credential;
  until: number;
}

/**
 * Known credentials of the last seconds, so that most requests need no query to authenticate.
 *
 * Triggers announce each change of a token or user on the channel `credentials`; the entry dies
 * with the announcement, some milliseconds after the commit. While the listening connection is
 * away nothing is cached.
 */
@Injectable()
export class CredentialCache implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Grows with every announcement: an answer read before one must not be stored after it. */
  epoch = 0;
  private readonly entries = new Map<string, Entry>();
  private readonly logger = new Logger(CredentialCache.name);
  private client: Client | null = null;
  private listening = false;
  private stopped = false;
  private retry: NodeJS.Timeout | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.client?.end();
  }

  /** The cached credential, or undefined when it has to be read. */
  get(key: string): Credential | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > Date.now()) return entry.credential;
    this.entries.delete(key);
    return undefined;
  }

  /** Stores what was read at `epoch`, unless something changed since. */
  set(key: string, credential: Credential, epoch: number): void {
    if (!this.listening || epoch !== this.epoch) return;
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    this.entries.set(key, { credential, until: Date.now() + LIFETIME_MS });
  }

  private async listen(): Promise<void> {
    const client = new Client({
      connectionString: this.config.databaseUrl,
      application_name: 'guildhall credentials',
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', (message) => this.forget(message.payload ?? ''));
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, null));
    try {
      await client.connect();
      await client.query('LISTEN credentials');
      this.listening = true;
    } catch (error) {
      this.lost(client, error);
      // Given up already; it may not even have been connected.
      await client.end().catch(() => undefined);
    }
  }

  private lost(client: Client, error: unknown): void {
    if (this.client !== client || this.stopped) return;
    this.client = null;
    this.listening = false;
    this.epoch += 1;
    this.entries.clear();
    const reason = error === null ? 'it was closed' : String(error);
    this.logger.warn(`Credentials are not cached: no connection to listen on (${reason})`);
    this.retry = setTimeout(() => void this.listen(), RECONNECT_MS);
  }

  private forget(announcement: string): void {
    this.epoch += 1;
    const [subject, id] = announcement.split(':', 2);
    if (subject === 'token' && id !== undefined) {
      this.entries.delete(id);
      return;
    }
    for (const [key, entry] of this.entries) {
      if (String(entry.credential.user.id) === id) this.entries.delete(key);
    }
  }
}
