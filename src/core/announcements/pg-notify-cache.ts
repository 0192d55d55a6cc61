import { LRUCache } from 'lru-cache';
import type { PgNotifyListener } from './pg-notify-listener.service.js';

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
    if (value !== undefined) return Promise.resolve(value);
    if (!this.isListening) return read();
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
      const value = await read();
      const { isCacheable = () => true } = this.options;
      if (value !== null && isCacheable(value) && isValid()) this.values.set(key, value);
      return value;
    } finally {
      if (isValid()) this.readings.delete(key);
    }
  }
}
