import { Socket } from 'node:net';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Client } from 'pg';
import { LRUCache } from 'lru-cache';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { countCacheRequest } from '../metrics/metrics-registry.js';
import { PING_SQL } from '../sql/pg-driver.js';
import { onPrimary } from '../sql/replica/request-reads.js';

const RECONNECT_MS = 500;

/**
 * Interval between two checks of the connection, and the timeout of a check. Firewalls drop idle
 * connections silently, and a dead server does not close them either.
 */
const CHECK_EVERY_MS = 2_000;
const TIMEOUT_MS = 3_000;

/** Callbacks of a channel's subscriber. */
export interface PgNotifySubscriber {
  /** A trigger's or a process' announcement, some milliseconds after the commit. */
  onMessage(payload: string): void;
  /** Announcements arrive from now on; what was missed before has to be read. */
  onConnect(): void;
  /** Announcements can be missed from now on. */
  onDisconnect(): void;
}

/**
 * Connection of the process that listens to the announcements of the database (NOTIFY), by which
 * changes reach all processes immediately. Reconnects automatically.
 */
@Injectable()
export class PgNotifyListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PgNotifyListener.name);
  private readonly subscribers = new Map<string, PgNotifySubscriber>();
  private client: Client | null = null;
  private isListening = false;
  private stopped = false;
  private retry: NodeJS.Timeout | undefined;
  private nextCheck: NodeJS.Timeout | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Called by providers while they are made; `channel` is a fixed name of ours. */
  subscribe(channel: string, subscriber: PgNotifySubscriber): void {
    this.subscribers.set(channel, subscriber);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    clearTimeout(this.nextCheck);
    await this.client?.end();
  }

  private async listen(): Promise<void> {
    const socket = new Socket();
    const client = new Client({
      stream: () => socket,
      connectionString: this.config.databaseUrl,
      application_name: 'guildhall announcements',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    this.client = client;
    client.on('notification', ({ channel, payload }) => {
      this.subscribers.get(channel)?.onMessage(payload ?? '');
    });
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, null));
    try {
      await client.connect();
      await client.query([...this.subscribers.keys()].map((name) => `LISTEN ${name}`).join('; '));
      this.isListening = true;
      for (const subscriber of this.subscribers.values()) subscriber.onConnect();
      this.checkLater(client, socket);
    } catch (error) {
      this.lost(client, error);
      // Already failed; it may not even have been connected.
      await client.end().catch(() => undefined);
    }
  }

  private checkLater(client: Client, socket: Socket): void {
    this.nextCheck = setTimeout(() => {
      client.query(PING_SQL).then(
        () => {
          if (this.client === client && !this.stopped) this.checkLater(client, socket);
        },
        (error: unknown) => {
          this.lost(client, error);
          // A dead peer does not respond to a regular end.
          socket.destroy();
        },
      );
    }, CHECK_EVERY_MS);
  }

  private lost(client: Client, error: unknown): void {
    if (this.client !== client || this.stopped) return;
    this.client = null;
    clearTimeout(this.nextCheck);
    for (const subscriber of this.subscribers.values()) subscriber.onDisconnect();
    const reason = error === null ? 'it was closed' : String(error);
    this.logger.warn(`No connection to listen for announcements on (${reason})`);
    // Immediately after a connection that worked: changes must arrive within a second.
    this.retry = setTimeout(() => void this.listen(), this.isListening ? 0 : RECONNECT_MS);
    this.isListening = false;
  }
}

interface CacheOptions<V> {
  /** Channel on which triggers announce changes. */
  channel: string;
  max: number;
  /** Milliseconds after which a value is read again, even when no change was announced. */
  ttl: number;
  /** Returns false for values that anyone could fill the cache with; by default all are cached. */
  isCacheable?: (value: V) => boolean;
  /** Invalidates what an announcement names; by default everything. */
  onMessage?: (payload: string) => void;
}

/**
 * Cache of what was read from the database, invalidated by announcements (NOTIFY) some milliseconds
 * after the commit. While announcements can be missed nothing is cached. Concurrent readings of a
 * key share one; the result of a reading that an invalidation overtakes is not cached.
 */
export class PgNotifyCache<V extends object> {
  private readonly values: LRUCache<string, V>;
  private readonly readings = new Map<string, Promise<V | null>>();
  private isListening = false;

  constructor(
    listener: PgNotifyListener,
    private readonly options: CacheOptions<V>,
  ) {
    const { channel, max, ttl, onMessage = () => this.clear() } = options;
    this.values = new LRUCache({ max, ttl, noDeleteOnStaleGet: true });
    listener.subscribe(channel, {
      onMessage,
      onConnect: () => this.listen(true),
      onDisconnect: () => this.listen(false),
    });
  }

  /** Returns the cached value or reads it; null is never cached. */
  get(key: string, read: () => Promise<V | null>): Promise<V | null> {
    const value = this.values.get(key);
    countCacheRequest(this.options.channel, value !== undefined);
    if (value !== undefined) return Promise.resolve(value);
    if (!this.isListening) return onPrimary(read);
    return this.readings.get(key) ?? this.start(key, read);
  }

  /** Returns the cached value, or undefined without reading it. */
  peek(key: string): V | undefined {
    return this.values.get(key);
  }

  /** Returns true for a key that is cached, even if it has expired. */
  has(key: string): boolean {
    return this.values.peek(key, { allowStale: true }) !== undefined;
  }

  /** Invalidates one key. */
  delete(key: string): void {
    this.readings.delete(key);
    this.values.delete(key);
  }

  /** Invalidates the values that match. */
  deleteWhere(matches: (value: V) => boolean): void {
    this.readings.clear();
    const isMatch = ([, value]: [string, V]): boolean => matches(value);
    for (const [key] of [...this.values.entries()].filter(isMatch)) this.values.delete(key);
  }

  /** Invalidates everything. */
  clear(): void {
    this.readings.clear();
    this.values.clear();
  }

  private listen(isListening: boolean): void {
    this.isListening = isListening;
    this.clear();
  }

  private start(key: string, read: () => Promise<V | null>): Promise<V | null> {
    const reading = this.readAndCache(key, read, () => this.readings.get(key) === reading);
    this.readings.set(key, reading);
    return reading;
  }

  private async readAndCache(
    key: string,
    read: () => Promise<V | null>,
    isValid: () => boolean,
  ): Promise<V | null> {
    try {
      // A replica can still show what the announcement was about, and then nothing would replace it.
      const value = await onPrimary(read);
      const { isCacheable = () => true } = this.options;
      if (value !== null && isCacheable(value) && isValid()) this.values.set(key, value);
      return value;
    } finally {
      if (isValid()) this.readings.delete(key);
    }
  }
}
